import DualSendCodeGeneration
import DualSendCommandLine
import DualSendRemapping

/// The edits for each place, and the places that can change together. Code that several places share changes in one way
/// for all of them, or not at all.
struct SiteEdits {
  private let found: SourceInventory
  /// For each place its edits, or the reason why there are none.
  private let wanted: [Result<WantedChanges, NotRewritten>]

  struct Agreed {
    var edits: [Int: Set<TextEdit>] = [:]
    /// The files in which calls are replaced with the tracker's.
    var callers: Set<Int> = []
    /// The numbers of the places that change, or that are already correct.
    var rewritten: Set<Int> = []
    var left: [FinishPlan.Left] = []
  }

  init(
    _ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, tracker: String, functions: [LoggingFunction]
  ) {
    self.found = found
    let trees = SourceTrees(texts)
    let calls = CallEdits(trees: trees, tracker: tracker)
    let uses = OtherUses(found, trees, texts, functions: functions)
    wanted = found.written.map { one in
      do throws(NotRewritten) {
        return .success(try WantedChanges(one, table, calls, uses))
      } catch { return .failure(error) }
    }
  }

  /// The edits of all places that agree with each other.
  ///
  /// - Parameter kept: the places that stay unchanged, by number, each with the reason.
  func agreed(keeping kept: [Int: String]) -> Agreed {
    var reasons = kept
    for (number, one) in wanted.enumerated() {
      if case .failure(let fault) = one { reasons[number] = fault.reason }
    }
    // Repeats until no code is wanted in two ways. A place that is kept needs its texts unchanged.
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
        let shared = changes(number).keys.filter { (meanings[$0]?.count ?? 0) > 1 }.map { conflict($0, reasons) }
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

  /// Why code is kept that is wanted in several ways: names a place that is kept, if one shares it.
  private func conflict(_ unit: WantedChanges.Unit, _ reasons: [Int: String]) -> String {
    let other = found.written.indices.first { reasons[$0] != nil && found.written[$0].units.contains(unit) }
    let place = other.map { "\(found.written[$0].site.file):\(found.written[$0].site.line)" }
    switch unit {
    case .text(let text):
      let why = place.map { "the call in \($0) shares it and stays" } ?? "its calls need different names"
      return "`\(text.text)` stands once for several calls: \(why); give each its own"
    case .forwarder(let name):
      let stays = place.map { "the call in \($0), which stays" } ?? "calls that stay"
      return "it goes through `\(name)`, as does \(stays): write that by hand first, or describe `\(name)` with --calls"
    }
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
        agreed.edits[text.origin.file, default: []].insert(text.origin.edit(to: new))
      }
      agreed.callers.formUnion(mine.calls.keys)
      for (file, edits) in mine.calls { agreed.edits[file, default: []].formUnion(edits) }
    }
    return agreed
  }
}

extension Origin {
  fileprivate func edit(to new: String) -> TextEdit {
    let written = SwiftLiteral.string(new)
    return isCaseName ? TextEdit(at: range.upperBound, " = \(written)") : TextEdit(range, written)
  }
}
