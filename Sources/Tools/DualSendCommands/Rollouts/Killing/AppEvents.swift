import DualSend
import DualSendCommandLine
import DualSendCore
package import DualSendRemapping
package import DualSendRollout
import Foundation

/// The events that names mean: a name as the app logs it, or as the collector shows it.
///
/// A rollout document decides by the app's names. The table translates the collector's; one new name can be that of several
/// old ones.
package struct AppEvents: Sendable {
  private let document: RolloutDocument
  private let table: RemappingTable?
  /// Patterns of the record.
  private let recorded: [EventPattern]

  package init(_ document: RolloutDocument, table: RemappingTable?, record: PublicationRecord.Reading? = nil) {
    (self.document, self.table) = (document, table)
    recorded = record?.entries.flatMap { $0.publication.stops.compactMap { EventPattern($0) } } ?? []
  }

  /// The table beside a document.
  ///
  /// - Returns: `nil` if there is none.
  package static func table(beside document: String?) throws -> RemappingTable? {
    guard let document else { return nil }
    let path = (InputFile.resolvingLinks(document) as NSString).deletingLastPathComponent + "/remapping.json"
    guard let bytes = try InputFile.exactBytesIfAny(path) else { return nil }
    return try RemappingTable(reading: bytes, name: path)
  }

  /// The app's patterns that a pattern means.
  ///
  /// - Parameter isConfirmed: whether a name that nothing knows is taken as it is.
  /// - Throws: ``CommandError`` for a name that neither the document nor the table nor the record knows.
  package func patterns(_ pattern: EventPattern, isConfirmed: Bool = false) throws -> [EventPattern] {
    let renamed = (table?.rules ?? [:]).filter { $0.value.name.map { pattern.matches($0) } ?? false }.keys
    let old = renamed.filter { !pattern.matches($0) }.sorted(by: String.byteOrder).map { EventPattern.exact($0) }
    if isConfirmed || old.isEmpty || isOfApp(pattern) {
      guard isConfirmed || isOfApp(pattern) || !renamed.isEmpty else { throw unknown(pattern) }
      return [pattern] + old
    }
    return old
  }

  private var ofApp: [EventPattern] {
    document.rules.flatMap { $0.match.events ?? [] } + recorded + (table?.rules.keys.map { .exact($0) } ?? [])
  }

  private func isOfApp(_ pattern: EventPattern) -> Bool {
    if case .prefix("") = pattern { return true }
    return ofApp.contains { known in
      switch (known, pattern) {
      // A prefix that is all events knows none.
      case (.prefix(let stem), _) where stem.isEmpty: false
      case (.exact(let name), _): pattern.matches(name)
      case (.prefix(let stem), .exact(let name)): name.utf8.starts(with: stem.utf8)
      case (.prefix(let stem), .prefix(let other)):
        other.utf8.starts(with: stem.utf8) || stem.utf8.starts(with: other.utf8)
      }
    }
  }

  private func unknown(_ pattern: EventPattern) -> CommandError {
    let names = ofApp.map(\.description) + (table?.rules.values.compactMap(\.name) ?? [])
    let nearest = nearestWord(to: pattern.description, among: names).map { "did you mean `\($0)`? " } ?? ""
    return CommandError(
      "neither the document nor \(table == nil ? "a table" : "the table") nor the record knows an event `\(pattern)`",
      help: nearest
        + (table == nil ? "give the table with --remap, which knows the app's name; " : "")
        + "or pass --unknown-event, if the app does log this name")
  }

  /// An argument that names an event or a prefix.
  ///
  /// - Throws: ``CommandError`` for what is not one name.
  package static func pattern(_ text: String) throws -> EventPattern {
    guard let pattern = EventPattern(text), !text.contains(where: { $0 == "," || $0.isWhitespace }) else {
      throw CommandError(
        "`\(text)` is not a name or a prefix and `*`: a name has no comma and no space",
        help: "repeat --event for each name")
    }
    return pattern
  }
}
