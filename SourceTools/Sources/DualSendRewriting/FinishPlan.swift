@_spi(Tools) import DualSendCore
public import DualSendInventory
@_spi(Tools) public import DualSendRemapping
public import DualSendSource

/// The calls of the old logger that become calls of the new tracker, and those that stay.
public struct FinishPlan: Sendable {
  /// A call that stays as it is.
  public struct Left: Sendable, Hashable {
    /// The call.
    public let site: CallSite
    /// Why.
    public let reason: String
  }

  /// The new texts of the files that change, by their names.
  public let changed: [String: String]
  /// How many calls were written anew.
  public let rewrittenCount: Int
  /// The calls that stay, sorted.
  public let left: [Left]

  /// Works the changes out; nothing is written.
  ///
  /// - Parameters:
  ///   - texts: the files that `found` was read from.
  ///   - table: the new names and keys.
  ///   - tracker: the expression that reaches the new tracker.
  ///   - functions: what logs, as in `found`.
  /// - Throws: ``FinishContradiction`` if the inventory of the result is not the inventory of before through the table.
  public init(
    _ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, tracker: String,
    functions: [LoggingFunction], threads: Int
  ) throws {
    let rewriter = CallRewriter(table: table, tracker: tracker)
    let written = Dictionary(grouping: found.written, by: \.site)
    var left: [Left] = []
    var edits: [Int: [SourceEdit]] = [:]
    var expected: [Int: [SentEvent]] = [:]
    var passages: Set<LiteralCall.Passage> = []
    var count = 0
    for site in found.inventory.callSites {
      do throws(NotRewritten) {
        guard site.certainty == .exact else { throw NotRewritten(site.open.joined(separator: "; ")) }
        guard let call = written[site]?.first?.literal else { throw NotRewritten("it hands a function on") }
        let (changes, integers) = try rewriter.changes(of: call, site.events)
        let events = site.events.compactMap { $0.remapped(by: table, integers: integers) }
        guard events.count == site.events.count else {
          throw NotRewritten("what the table makes of it depends on values")
        }
        edits[call.file, default: []] += changes
        passages.formUnion(call.event?.passages ?? [])
        expected[call.file, default: []] += events
        count += 1
      } catch {
        left.append(Left(site: site, reason: error.reason))
      }
    }
    var changed: [String: String] = [:]
    for (file, edits) in edits {
      if let text = texts.text(file) { changed[texts.paths[file]] = text.applying(edits) }
    }
    (self.changed, rewrittenCount, self.left) = (changed, count, left)
    try check(texts, expected, passages, functions: functions, threads: threads)
  }

  /// All files as they are after the change.
  public func result(of texts: SourceTexts) -> SourceTexts {
    SourceTexts(
      texts.paths.indices.map { number in
        (texts.paths[number], changed[texts.paths[number]] ?? texts.text(number) ?? "")
      })
  }

  /// Reads the result as if it were anybody's, and holds it against what was meant.
  private func check(
    _ texts: SourceTexts, _ expected: [Int: [SentEvent]], _ passages: Set<LiteralCall.Passage>,
    functions: [LoggingFunction], threads: Int
  ) throws {
    let after = result(of: texts)
    let new = SourceInventory(after, functions: LoggingFunction.new, threads: threads, writesOut: false)
    for skipped in new.skipped where changed[skipped.file] != nil {
      throw FinishContradiction(file: skipped.file, message: "the result is no Swift")
    }
    let before = SourceInventory(texts, functions: LoggingFunction.new, threads: threads, writesOut: false)
    let found = Dictionary(grouping: new.inventory.callSites, by: \.file)
    let there = Dictionary(grouping: before.inventory.callSites, by: \.file)
    for (number, events) in expected {
      let file = texts.paths[number]
      let all = (found[file] ?? []).flatMap(\.events)
      // Calls of the new tracker that were there before stay.
      let added = all.counted.subtracting((there[file] ?? []).flatMap(\.events).counted)
      guard added == events.counted else {
        let difference = events.counted.subtracting(added).keys.map(\.name).sorted(by: String.byteOrder)
        throw FinishContradiction(
          file: file,
          message: "the result would not log what the table says of " + difference.joined(separator: ", "))
      }
    }
    let old = SourceInventory(after, functions: functions, threads: threads, writesOut: false)
    let staying = left.map(\.site.withoutPlace).counted
    // What the callers of a function logged, it logs itself for all that is known, when they are gone.
    let orphans = Set(
      passages.map { [texts.paths[$0.file], $0.type, $0.function] })
    let remaining = old.inventory.callSites.filter { site in
      !(site.open.contains(SourceInventory.nobodyCalls) && orphans.contains([site.file, site.type, site.function]))
    }.map(\.withoutPlace).counted
    guard staying == remaining else {
      let names = Set(staying.subtracting(remaining).keys.map(\.file) + remaining.subtracting(staying).keys.map(\.file))
      throw FinishContradiction(
        file: names.sorted(by: String.byteOrder).first ?? "",
        message: "a call that should stay would log something else")
    }
  }
}

/// The result of a rewrite would not log what was meant. Nothing is written then.
public struct FinishContradiction: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file that it was seen in.
  public let file: String
  /// What was seen.
  public let message: String

  /// File and message.
  public var description: String { "\(file): \(message)" }
}

extension Sequence where Element: Hashable {
  /// How often each element is there.
  fileprivate var counted: [Element: Int] { Dictionary(map { ($0, 1) }, uniquingKeysWith: +) }
}

extension [SentEvent: Int] {
  fileprivate func subtracting(_ other: [SentEvent: Int]) -> [SentEvent: Int] {
    merging(other.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value > 0 }
  }
}

extension [CallSite: Int] {
  fileprivate func subtracting(_ other: [CallSite: Int]) -> [CallSite: Int] {
    merging(other.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value > 0 }
  }
}

extension CallSite {
  /// What it logs, wherever it stands: lines move when others above are written anew.
  fileprivate var withoutPlace: CallSite {
    CallSite(
      certainty: certainty, file: file, line: 0, column: 0, type: type, function: function, via: via, open: open,
      events: events)
  }
}
