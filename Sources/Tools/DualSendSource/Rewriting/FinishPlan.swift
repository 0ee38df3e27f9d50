import DualSendCommandLine
import DualSendCore
package import DualSendRemapping

/// Why a call is kept.
struct NotRewritten: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The names and keys that change, and the calls of the old logger that are replaced with calls of the new tracker.
package struct FinishPlan: Sendable {
  /// A call that is kept.
  package struct Left: Sendable, Hashable {
    /// The call.
    package let site: CallSite
    /// The reason, and what to do about it.
    package let reason: String
  }

  /// The new texts of the changed files, by file name.
  package let changed: [String: String]
  /// The number of calls that log with their new names and keys.
  package let rewrittenCount: Int
  /// The kept calls, sorted.
  package let left: [Left]

  /// Computes the changes; writes nothing.
  ///
  /// The result is inventoried again. If a file would not log the events that the table gives, all its calls are kept, with
  /// all calls that share a text with one of them.
  ///
  /// - Parameters:
  ///   - texts: the files that `found` was read from.
  ///   - table: the new names and keys.
  ///   - tracker: the expression that reaches the new tracker.
  ///   - module: the module that files with calls of the tracker must import; `nil` for none.
  ///   - functions: the logging functions, as in `found`.
  /// - Throws: ``FinishContradiction`` if the inventory of the result is not the inventory of before through the table, and
  ///   leaving files out does not mend that, or leaves none.
  package init(
    _ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, tracker: String, module: String? = nil,
    functions: [LoggingFunction], threads: Int
  ) throws {
    var kept: [Int: String] = [:]
    let edits = SiteEdits(texts, found, table: table, tracker: tracker, functions: functions)
    let check = FinishCheck(texts, found, table: table, functions: functions, threads: threads)
    while true {
      let draft = edits.agreed(keeping: kept)
      var changed: [String: String] = [:]
      for (file, all) in draft.edits {
        guard let text = texts.text(file), !all.isEmpty else { continue }
        let edited = String(decoding: TextEdit.apply(all, to: Array(text.utf8)), as: UTF8.self)
        let needsImport = draft.callers.contains(file)
        changed[texts.paths[file]] = needsImport ? module.map { edited.importing($0) } ?? edited : edited
      }
      let plan = FinishPlan(changed: changed, rewrittenCount: draft.rewritten.count, left: draft.left)
      let faults = check.faults(plan.result(of: texts), rewritten: draft.rewritten)
      if faults.isEmpty, kept.isEmpty || !draft.rewritten.isEmpty {
        self = plan
        return
      }
      let news = found.written.indices.filter { kept[$0] == nil && faults[found.written[$0].site.file] != nil }
      guard !news.isEmpty else {
        let messages = kept.map { (found.written[$0.key].site.file, $0.value) } + faults.map { ($0.key, $0.value) }
        let first = messages.min { String.byteOrder($0.0, $1.0) }
        throw FinishContradiction(file: first?.0 ?? "", message: first?.1 ?? "")
      }
      for place in news { kept[place] = faults[found.written[place].site.file] }
    }
  }

  private init(changed: [String: String], rewrittenCount: Int, left: [Left]) {
    (self.changed, self.rewrittenCount, self.left) = (changed, rewrittenCount, left)
  }

  /// All files after the change.
  package func result(of texts: SourceTexts) -> SourceTexts {
    SourceTexts(
      texts.paths.indices.map { number in
        (texts.paths[number], changed[texts.paths[number]] ?? texts.text(number) ?? "")
      })
  }
}

/// The result of a rewrite would log other events than the table gives. Nothing is written then.
package struct FinishContradiction: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file in which this was found.
  package let file: String
  /// What was found.
  package let message: String

  /// File and message.
  package var description: String { "\(file): \(message)" }
}

extension String {
  /// The text with an import after the last one, unless it is already imported.
  fileprivate func importing(_ module: String) -> String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    func isImport(_ line: Substring, of module: String? = nil) -> Bool {
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place <= 2 else { return false }
      return module.map { words.last.map(String.init) == $0 } ?? true
    }
    if lines.contains(where: { isImport($0, of: module) }) { return self }
    let last = lines.lastIndex { isImport($0) }
    guard let last else { return "import \(module)\n\n" + self }
    return (lines[...last] + ["import \(module)"] + lines[(last + 1)...]).joined(separator: "\n")
  }
}
