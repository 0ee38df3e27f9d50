import DualSendCore
import DualSendDrafting
import DualSendRemapping
import DualSendSource

/// What people hand over as files.
extension FuzzTarget {
  /// Spreadsheets, as text or as a packed workbook: what is imported is a table that apps read.
  static let sheet = FuzzTarget(name: "sheet", mutation: .bytes) { input in
    do throws(DocumentError) {
      let table = try TableImport(input.bytes, name: "input")
      _ = (table.warnings.map(\.description), table.reading, table.leftOut)
      let isRead = (try? RemappingTable(reading: table.text.utf8, name: "table")) != nil
      precondition(isRead, "an imported table cannot be read")
    } catch {
      precondition(error.diagnostics.contains { $0.severity == .error }, "refused without an error")
      _ = error.description
    }
  }

  /// Sources, of any shape that the parser makes of them: two files that may refer to each other.
  static let sources = FuzzTarget(name: "sources", mutation: .bytes) { input in
    let texts = SourceTexts([("a.swift", input.text(0)), ("b.swift", input.text(1))])
    let found = SourceInventory(texts)
    _ = (found.inventory.jsonLines, found.skipped)
    precondition(found.fileCount + found.skipped.count >= 2, "a file is neither read nor passed over")
  }
}
