import DualSendCore
import DualSendInventory
import DualSendRemapping
import DualSendSource

/// Inventories the result of a rewrite, and compares it with the old inventory mapped through the table.
struct FinishCheck {
  private let texts: SourceTexts
  private let found: SourceInventory
  private let table: RemappingTable
  private let functions: [LoggingFunction]
  private let threads: Int
  /// The calls of the new tracker before the rewrite.
  private let there: [String: [SentEvent: Int]]

  init(
    _ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, functions: [LoggingFunction], threads: Int
  ) {
    (self.texts, self.found, self.table, self.functions, self.threads) = (texts, found, table, functions, threads)
    let before = SourceInventory(texts, functions: LoggingFunction.new, threads: threads)
    there = Self.events(before.inventory.callSites)
  }

  private static func events(_ sites: [CallSite]) -> [String: [SentEvent: Int]] {
    Dictionary(grouping: sites, by: \.file).mapValues { sites in
      Dictionary(sites.flatMap { $0.events.map(\.withoutValues) }.map { ($0, 1) }, uniquingKeysWith: +)
    }
  }

  /// A file whose events are not the expected ones.
  struct Fault {
    /// What could not be proved.
    let message: String
    /// The numbers of its rewritten places whose expected events are missing; empty if no rewritten place is affected.
    var places: Set<Int> = []
  }

  /// The files whose events are not the expected ones.
  func faults(_ after: SourceTexts, rewritten: Set<Int>) -> [String: Fault] {
    var faults: [String: Fault] = [:]
    let new = SourceInventory(after, functions: functions + LoggingFunction.new, threads: threads)
    for skipped in new.skipped where !found.skipped.contains(where: { $0.file == skipped.file }) {
      faults[skipped.file] = Fault(message: "the result is Swift")
    }
    var wanted = there
    var makers: [String: [SentEvent: Set<Int>]] = [:]
    for (number, one) in found.written.enumerated() {
      for event in one.site.events {
        let isRewritten = rewritten.contains(number)
        let meant = ((isRewritten ? event.renamed(by: table) : nil) ?? event).withoutValues
        wanted[one.site.file, default: [:]][meant, default: 0] += 1
        if isRewritten { makers[one.site.file, default: [:]][meant, default: []].insert(number) }
      }
    }
    let got = Self.events(new.inventory.callSites)
    for file in Set(wanted.keys).union(got.keys) where wanted[file] ?? [:] != got[file] ?? [:] {
      let missing = (wanted[file] ?? [:]).filter { got[file]?[$0.key] != $0.value }.keys
      let names = Set(missing.map(\.name)).sorted().joined(separator: ", ")
      faults[file] =
        faults[file]
        ?? Fault(
          message: "the result logs what the table says of \(names)",
          places: missing.reduce(into: []) { $0.formUnion(makers[file]?[$1] ?? []) })
    }
    return faults
  }
}

extension SentEvent {
  /// Names and keys alone.
  var withoutValues: SentEvent {
    SentEvent(
      name: name, isPattern: isPattern, isOpen: isOpen,
      parameters: parameters.map { SentParameter(key: $0.key, isOptional: $0.isOptional, types: []) })
  }

  /// The event with its new name and keys; `nil` if they cannot be determined.
  func renamed(by table: RemappingTable) -> SentEvent? {
    let rule = table.rule(for: name)
    var renamed: [SentParameter] = []
    for parameter in parameters {
      guard let path = try? KeyPathPattern(parameter.key) else { return nil }
      guard let target = rule.target(of: path) else { continue }
      renamed.append(SentParameter(key: target.description, isOptional: parameter.isOptional, types: parameter.types))
    }
    for constant in rule.constants {
      renamed.append(SentParameter(key: constant.target.description, isOptional: false, types: []))
    }
    return SentEvent(name: rule.name ?? name, isPattern: isPattern, isOpen: isOpen, parameters: renamed)
  }
}

extension EventRule {
  /// The place of a key after this rule; `nil` if the rule drops it.
  func target(of path: KeyPathPattern) -> KeyPathPattern? {
    let inside = rows.filter { path.isAt($0.source) }
    guard let row = inside.max(by: { $0.source.steps.count < $1.source.steps.count }) else {
      return unmapped == .drop ? nil : path
    }
    guard case .move(let target, _) = row.action else { return nil }
    return path.moved(from: row.source, to: target)
  }
}

extension KeyPathPattern {
  /// Whether this is the given place, or inside it.
  func isAt(_ place: KeyPathPattern) -> Bool { steps.starts(with: place.steps) }

  /// The position inside `target` that corresponds to this one inside `source`.
  func moved(from source: KeyPathPattern, to target: KeyPathPattern) -> KeyPathPattern? {
    let inner = steps.dropFirst(source.steps.count).map { step in
      switch step {
      case .key(let key): "." + KeyPathPattern(key: key).description
      case .eachElement: "[]"
      }
    }
    return try? KeyPathPattern(target.description + inner.joined())
  }
}
