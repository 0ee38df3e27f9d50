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

  /// What could not be proved, by file.
  ///
  /// - Parameter rewritten: the numbers of the places that log with their new names and keys.
  func faults(_ after: SourceTexts, rewritten: Set<Int>) -> [String: String] {
    var faults: [String: String] = [:]
    let new = SourceInventory(after, functions: functions + LoggingFunction.new, threads: threads)
    for skipped in new.skipped where !found.skipped.contains(where: { $0.file == skipped.file }) {
      faults[skipped.file] = "it could not be shown that the result is Swift"
    }
    var wanted = there
    for (number, one) in found.written.enumerated() {
      for event in one.site.events {
        let meant = (rewritten.contains(number) ? event.renamed(by: table) : nil) ?? event
        wanted[one.site.file, default: [:]][meant.withoutValues, default: 0] += 1
      }
    }
    let got = Self.events(new.inventory.callSites)
    for file in Set(wanted.keys).union(got.keys) where faults[file] == nil && wanted[file] ?? [:] != got[file] ?? [:] {
      let missing = (wanted[file] ?? [:]).filter { got[file]?[$0.key] != $0.value }.keys
      let names = Set(missing.map(\.name)).sorted().joined(separator: ", ")
      faults[file] = "it could not be shown that the result logs what the table says of \(names)"
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
