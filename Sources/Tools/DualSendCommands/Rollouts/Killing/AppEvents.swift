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
    recorded = record?.entries.flatMap(\.publication.patterns) ?? []
  }

  /// The table that was given, or the one beside a document.
  static func table(
    _ given: DocumentInput?, beside document: String?, on terminal: Terminal
  ) async throws -> RemappingTable? {
    guard let given else { return try table(beside: document) }
    return try RemappingTable(reading: try await given.bytes(on: terminal), name: given.name)
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
  /// - Throws: ``CommandError`` for a name that neither the document nor the table nor the record knows, and without a table for
  ///   one that they do not have as it is: it can be the collector's.
  package func patterns(_ pattern: EventPattern, isConfirmed: Bool = false) throws -> [EventPattern] {
    let renamed = (table?.rules ?? [:]).filter { $0.value.name.map { pattern.matches($0) } ?? false }.keys
    let old = renamed.filter { !pattern.matches($0) }.sorted(by: String.byteOrder).map { EventPattern.exact($0) }
    if isConfirmed || isOfApp(pattern) { return [pattern] + old }
    if renamed.isEmpty { throw unknown(pattern) }
    return old.isEmpty ? [pattern] : old
  }

  /// The same, and notes which names of the app they are.
  func patterns(
    _ pattern: EventPattern, isConfirmed: Bool = false, on terminal: Terminal
  ) throws -> [EventPattern] {
    let meant = try patterns(pattern, isConfirmed: isConfirmed)
    if meant != [pattern] {
      terminal.note("`\(pattern)` is, as the app logs it: " + meant.map { "`\($0)`" }.joined(separator: ", "))
    }
    return meant
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
      case (.prefix(let stem), .prefix(let other)) where stem.utf8.starts(with: other.utf8): true
      // A name of a group can also be one of the collector's, which the app logs in another group.
      case (.prefix(let stem), _): table != nil && pattern.stem.utf8.starts(with: stem.utf8)
      }
    }
  }

  private func unknown(_ pattern: EventPattern) -> CommandError {
    let names = ofApp.map(\.description) + (table?.rules.values.compactMap(\.name) ?? [])
    let nearest = nearestWord(to: pattern.description, among: names).map { "did you mean `\($0)`? " } ?? ""
    let confirmation = "pass --unknown-event, if the app does log this name"
    guard table == nil else {
      return CommandError(
        "neither the document nor the table nor the record knows an event `\(pattern)`", help: nearest + confirmation)
    }
    return CommandError(
      "neither the document nor the record has the name `\(pattern)`, and without the table it can be the collector's",
      help: nearest + "give the table with --remap, which knows the app's name; or " + confirmation)
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
