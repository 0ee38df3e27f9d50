import DualSendCodeGeneration
import DualSendCore
import DualSendInventory
import DualSendRemapping
import DualSendSource

/// The edits for each place, and the places that can change together. Code that several places share changes in one way
/// for all of them, or not at all.
struct SiteEdits {
  private let found: SourceInventory
  /// For each place its edits, or the reason why there are none.
  private let wanted: [Result<WantedChanges, NotRewritten>]

  struct Agreed {
    var edits: [Int: Set<SourceEdit>] = [:]
    /// The files in which calls are replaced with the tracker's.
    var callers: Set<Int> = []
    /// The numbers of the places that change, or that are already correct.
    var rewritten: Set<Int> = []
    /// The new texts of literals that change.
    var texts: [WrittenSite.Text: String] = [:]
    var left: [FinishPlan.Left] = []
  }

  init(
    _ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, tracker: String, functions: [LoggingFunction]
  ) {
    self.found = found
    let (trees, types) = (SourceTrees(texts), DictionaryTypes(texts))
    let calls = CallEdits(trees: trees, types: types, tracker: tracker)
    let dictionaries = DictionaryEdits(trees: trees, types: types)
    let uses = OtherUses(found, trees, texts, functions: functions)
    wanted = found.written.map { one in
      do throws(NotRewritten) {
        return .success(try WantedChanges(one, table, calls, dictionaries, uses))
      } catch { return .failure(error) }
    }
  }

  /// The edits of all places that agree with each other, except the kept places.
  func agreed(keeping kept: KeptPlaces) -> Agreed {
    var reasons: [Int: String] = [:]
    for (number, one) in found.written.enumerated() {
      if case .failure(let fault) = wanted[number] { reasons[number] = fault.reason }
      if reasons[number] == nil, let fault = kept.fault(number, one, changes(number)) {
        reasons[number] = "it could not be shown that \(fault)"
      }
    }
    // Repeats until no code is wanted in two ways. A place that is kept needs its texts and elements unchanged.
    var isSettled = false
    while !isSettled {
      isSettled = true
      var meanings: [WantedChanges.Unit: Set<WantedChanges.Change>] = [:]
      for (number, one) in found.written.enumerated() {
        // A text that is also sent as a value stays unchanged.
        for text in one.events.flatMap(\.values) { meanings[.text(text), default: []].insert(.stays) }
        if reasons[number] == nil {
          for (unit, change) in changes(number) { meanings[unit, default: []].insert(change) }
        } else {
          for unit in one.units { meanings[unit, default: []].insert(.stays) }
        }
      }
      for number in found.written.indices where reasons[number] == nil {
        let shared = changes(number).keys.filter { (meanings[$0]?.count ?? 0) > 1 }.map(\.conflict)
        if let first = shared.min() {
          reasons[number] = first
          isSettled = false
        }
      }
    }
    return agreed(reasons)
  }

  private func changes(_ number: Int) -> [WantedChanges.Unit: WantedChanges.Change] {
    (try? wanted[number].get().changes) ?? [:]
  }

  private func agreed(_ reasons: [Int: String]) -> Agreed {
    var agreed = Agreed()
    for (number, one) in found.written.enumerated() {
      guard reasons[number] == nil, case .success(let mine) = wanted[number] else {
        agreed.left.append(.init(site: one.site, reason: reasons[number] ?? ""))
        continue
      }
      agreed.rewritten.insert(number)
      for case (.text(let text), .text(let new)) in mine.changes {
        agreed.texts[text] = new
        agreed.edits[text.file, default: []].insert(text.edit(to: new))
      }
      agreed.callers.formUnion(mine.callers)
      for (file, edits) in mine.edits { agreed.edits[file, default: []].formUnion(edits) }
    }
    return agreed
  }
}

extension WantedChanges.Unit {
  /// The reason why a text is kept, if it is wanted in several ways.
  fileprivate var conflict: String {
    switch self {
    case .text(let text):
      "`\(text.text)` stands once for several calls, which need different names: give each its own"
    case .element: "an element of its dictionary stands once for several calls, of which not all change it: split it"
    case .forwarder(let name):
      "it goes through `\(name)`, as do calls that stay: write those by hand first, or describe `\(name)` with --calls"
    }
  }
}

extension WrittenSite.Text {
  fileprivate func edit(to new: String) -> SourceEdit {
    let written = SwiftLiteral.string(new)
    if isCaseName { return SourceEdit(range.upperBound..<range.upperBound, " = \(written)") }
    return SourceEdit(range, isSegment ? String(written.dropFirst().dropLast()) : written)
  }
}
