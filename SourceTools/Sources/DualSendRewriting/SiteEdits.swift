import DualSendCodeGeneration
import DualSendCore
import DualSendInventory
import DualSendRemapping
import DualSendSource

/// What would change for each place, and which of the places can change together: a constant that several places share has
/// one new text.
struct SiteEdits {
  private let texts: SourceTexts
  private let found: SourceInventory
  private let table: RemappingTable
  /// For each place its changes, or why there are none.
  private let wanted: [Result<Wanted, NotRewritten>]

  private struct Wanted {
    /// The new text of each text at a place of its own.
    var texts: [WrittenSite.Text: String] = [:]
    /// Where the old logger's function becomes the tracker's.
    var call: [SourceEdit] = []
  }

  /// What stays, because it could not be shown that its result logs what the table says; each with what that is.
  struct Kept {
    var files: [String: String] = [:]
    var places: [Int: String] = [:]

    var count: Int { files.count + places.count }

    /// Keeps the places that a fault is about, or the whole file if there is none that is not kept already.
    mutating func add(_ fault: FinishCheck.Fault, of file: String) {
      let news = fault.places.filter { places[$0] == nil }
      if news.isEmpty {
        files[file] = files[file] ?? fault.message
      } else {
        for place in news { places[place] = fault.message }
      }
    }

    /// The first file of which something stays, and what could not be shown of it.
    func first(in found: SourceInventory) -> (file: String, reason: String)? {
      let all = places.map { (found.written[$0.key].site.file, $0.value) } + files.map { ($0.key, $0.value) }
      return all.min { String.byteOrder($0.0, $1.0) }
    }
  }

  struct Agreed {
    var edits: [Int: [SourceEdit]] = [:]
    /// The files in which calls become the tracker's.
    var callers: Set<Int> = []
    /// The numbers of the places that change, or that are what they should be.
    var rewritten: Set<Int> = []
    var left: [FinishPlan.Left] = []
  }

  init(_ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, tracker: String) {
    (self.texts, self.found, self.table) = (texts, found, table)
    let calls = CallEdits(texts, tracker: tracker)
    wanted = found.written.map { one in
      do throws(NotRewritten) { return .success(try Self.wanted(one, table, calls)) } catch { return .failure(error) }
    }
  }

  private static func wanted(
    _ one: WrittenSite, _ table: RemappingTable, _ calls: CallEdits
  ) throws(NotRewritten) -> Wanted {
    guard one.site.certainty == .exact else { throw NotRewritten(one.site.open.joined(separator: "; ")) }
    guard !one.events.isEmpty else { throw NotRewritten("it hands a function on") }
    if one.function?.staysAfterMigration == true {
      throw NotRewritten("it stays as it is: its event gets the new name and keys where they are written")
    }
    var wanted = Wanted()
    for event in one.events {
      let rule = table.rule(for: event.name)
      try set(event.nameText, event.name, to: rule.name ?? event.name, "name", &wanted)
      try check(rule, event)
      for key in event.keys {
        guard let last = key.path.last else { continue }
        try set(key.text, last, to: try newKey(key.path, rule), "key", &wanted)
      }
    }
    if let function = one.function, function.isOldLogger {
      wanted.call = try calls.edits(one, function)
    } else if one.function == nil, one.isOldLoggers {
      throw NotRewritten(
        "it goes through `\(one.site.via.last ?? "")`: describe that function with --calls, then names and keys change"
          + " where they stand")
    }
    return wanted
  }

  /// The new text of one text.
  private static func set(
    _ text: WrittenSite.Text?, _ old: String, to new: String, _ what: String, _ wanted: inout Wanted
  ) throws(NotRewritten) {
    guard let text, text.text == old else {
      if old == new { return }
      throw NotRewritten("its \(what) `\(old)` is put together: write `\(new)` by hand")
    }
    if let other = wanted.texts[text], other != new {
      throw NotRewritten("its \(what) `\(old)` stands once for several events, which the table names differently")
    }
    wanted.texts[text] = new
  }

  /// A row that does more than rename leaves the call to a person.
  private static func check(_ rule: EventRule, _ event: WrittenSite.Event) throws(NotRewritten) {
    if let constant = rule.constants.first {
      throw NotRewritten("the table adds `\(constant.target)`: write it by hand")
    }
    for row in rule.rows where !row.source.steps.contains(.eachElement) {
      let isThere = event.keys.contains { (key: WrittenSite.Key) in KeyPathPattern(keys: key.path) == row.source }
      switch row.action {
      case .drop: if isThere { throw NotRewritten("the table drops `\(row.source)`: remove it by hand") }
      case .move(_, let value?):
        if isThere || value.fallback != nil {
          throw NotRewritten("the table converts `\(row.source)`: write the conversion by hand")
        }
      case .move: break
      }
    }
    for row in rule.rows where row.source.steps.contains(.eachElement) {
      if event.keys.contains(where: { key in row.source.steps.first == KeyPathPattern(keys: key.path).steps.first }) {
        throw NotRewritten("the table moves `\(row.source)`, which stands in an array: change it by hand")
      }
    }
    guard rule.unmapped == .drop else { return }
    for key in event.keys {
      let path = KeyPathPattern(keys: key.path)
      if !rule.rows.contains(where: { path.isAt($0.source) || $0.source.isAt(path) }) {
        throw NotRewritten("the table drops `\(path)`: remove it by hand")
      }
    }
  }

  /// The last key of a path under its new name.
  private static func newKey(_ path: [String], _ rule: EventRule) throws(NotRewritten) -> String {
    let old = KeyPathPattern(keys: path)
    guard let row = rule.rows.first(where: { $0.source == old }), case .move(let target, _) = row.action else {
      return path.last ?? ""
    }
    let steps = target.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }
    guard steps.count == target.steps.count, steps.count == path.count, steps.dropLast() == path.dropLast(),
      let last = steps.last
    else { throw NotRewritten("the table moves `\(old)` to `\(target)`: move it by hand") }
    return last
  }

  /// The changes of all places that agree with each other, without those that are kept.
  func agreed(keeping kept: Kept) -> Agreed {
    var reasons: [Int: String] = [:]
    for (number, one) in found.written.enumerated() {
      if case .failure(let fault) = wanted[number] { reasons[number] = fault.reason }
      if reasons[number] == nil, let fault = kept.places[number] ?? kept.files[one.site.file] {
        reasons[number] = "it could not be shown that \(fault)"
      }
    }
    // Until no text is wanted in two ways. A place that stays wants its texts as they are.
    var isSettled = false
    while !isSettled {
      isSettled = true
      var meanings: [WrittenSite.Text: Set<String>] = [:]
      for (number, one) in found.written.enumerated() {
        // What is a value as well goes on as it is.
        for text in one.events.flatMap(\.values) { meanings[text, default: []].insert(text.text) }
        if reasons[number] == nil, case .success(let mine) = wanted[number] {
          for (text, new) in mine.texts { meanings[text, default: []].insert(new) }
        } else {
          for event in one.events {
            for text in [event.nameText] + event.keys.map(\.text) {
              if let text { meanings[text, default: []].insert(text.text) }
            }
          }
        }
      }
      for number in found.written.indices where reasons[number] == nil {
        guard case .success(let mine) = wanted[number] else { continue }
        let shared = mine.texts.keys.filter { (meanings[$0]?.count ?? 0) > 1 }.sorted { $0.text < $1.text }
        if let first = shared.first {
          reasons[number] =
            "`\(first.text)` stands once for several calls, which need different names: give each its own"
          isSettled = false
        }
      }
      for number in found.written.indices where reasons[number] == nil {
        guard case .success(let mine) = wanted[number] else { continue }
        if let text = mine.texts.first(where: { $0.key.text != $0.value && isUsedElsewhere($0.key, reasons) })?.key {
          reasons[number] =
            "`\(found.declared[text]?.name ?? text.text)` is used elsewhere, too: give the event its own"
          isSettled = false
        }
      }
    }
    return agreed(reasons)
  }

  private func agreed(_ reasons: [Int: String]) -> Agreed {
    var agreed = Agreed()
    var edits: [Int: Set<SourceEdit>] = [:]
    for (number, one) in found.written.enumerated() {
      guard reasons[number] == nil, case .success(let mine) = wanted[number] else {
        agreed.left.append(.init(site: one.site, reason: reasons[number] ?? ""))
        continue
      }
      agreed.rewritten.insert(number)
      for (text, new) in mine.texts where text.text != new {
        let written = SwiftLiteral.string(new)
        edits[text.file, default: []].insert(
          text.isCaseName
            ? SourceEdit(text.range.upperBound..<text.range.upperBound, " = \(written)")
            : SourceEdit(text.range, written))
      }
      if !mine.call.isEmpty { agreed.callers.insert(one.file) }
      edits[one.file, default: []].formUnion(mine.call)
    }
    agreed.edits = edits.filter { !$0.value.isEmpty }.mapValues(Array.init)
    return agreed
  }

  /// Whether a constant or a case is named where no place that changes stands.
  private func isUsedElsewhere(_ text: WrittenSite.Text, _ reasons: [Int: String]) -> Bool {
    guard let declared = found.declared[text] else { return false }
    if declared.isCoded { return true }
    return declared.uses.contains { use in
      !found.written.indices.contains { number in
        let one = found.written[number]
        return reasons[number] == nil && one.file == use.file && one.around.contains(use.offset)
      }
    }
  }
}

extension KeyPathPattern {
  /// A path of keys.
  init(keys: [String]) {
    let text = keys.map { KeyPathPattern(key: $0).description }.joined(separator: ".")
    self = (try? KeyPathPattern(text)) ?? KeyPathPattern(key: keys.last ?? "")
  }
}
