import DualSendCore
public import DualSendInventory
public import DualSendRemapping
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

  /// How often files are taken out whose result could not be shown to log what it should.
  private static let maximumRounds = 8

  /// Works the changes out; nothing is written.
  ///
  /// The result is read as if it were anybody's. Of a file in which it would not log what the table says, every call stays.
  ///
  /// - Parameters:
  ///   - texts: the files that `found` was read from.
  ///   - table: the new names and keys.
  ///   - tracker: the expression that reaches the new tracker.
  ///   - functions: what logs, as in `found`.
  /// - Throws: ``FinishContradiction`` if the inventory of the result is not the inventory of before through the table, and
  ///   leaving files out does not mend that, or leaves none.
  public init(
    _ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, tracker: String,
    functions: [LoggingFunction], threads: Int
  ) throws {
    var kept: [String: String] = [:]
    for _ in 0..<Self.maximumRounds {
      let draft = Self.draft(texts, found, CallRewriter(table: table, tracker: tracker), keeping: kept)
      let faults = draft.plan.faults(texts, draft.expected, draft.passages, functions: functions, threads: threads)
      if faults.isEmpty {
        // Where no file is left, the table or the tracker is at fault, not a file.
        if !kept.isEmpty, draft.plan.rewrittenCount == 0 { break }
        self = draft.plan
        return
      }
      let known = kept.count
      kept.merge(faults) { first, _ in first }
      if kept.count == known { break }
    }
    let file = kept.keys.min(by: String.byteOrder) ?? ""
    throw FinishContradiction(file: file, message: "it could not be shown that \(kept[file] ?? "")")
  }

  private init(changed: [String: String], rewrittenCount: Int, left: [Left]) {
    (self.changed, self.rewrittenCount, self.left) = (changed, rewrittenCount, left)
  }

  /// The changes, and what the result is to log, by file.
  ///
  /// - Parameter kept: files whose calls stay, with the reason.
  private static func draft(
    _ texts: SourceTexts, _ found: SourceInventory, _ rewriter: CallRewriter, keeping kept: [String: String]
  ) -> (plan: FinishPlan, expected: [Int: [SentEvent]], passages: Set<LiteralCall.Passage>) {
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
        if let fault = kept[site.file] { throw NotRewritten("of its file it could not be shown that \(fault)") }
        let (changes, integers) = try rewriter.changes(of: call, site.events)
        let events = site.events.compactMap { $0.remapped(by: rewriter.table, integers: integers) }
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
    return (FinishPlan(changed: changed, rewrittenCount: count, left: left), expected, passages)
  }

  /// All files as they are after the change.
  public func result(of texts: SourceTexts) -> SourceTexts {
    SourceTexts(
      texts.paths.indices.map { number in
        (texts.paths[number], changed[texts.paths[number]] ?? texts.text(number) ?? "")
      })
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
