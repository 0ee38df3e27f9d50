package import ArgumentParser
import DualSendCommandLine
package import DualSendParity
package import DualSendRemapping

/// The options that tell how an old event becomes the new one that it is compared with.
package struct JoinOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  package var remap: String?
  @Option(
    help: ArgumentHelp(
      "The changes that the old logger makes to payloads: `firebase`, `none`, or a file.", valueName: "preset or file"))
  package var normalise = "none"
  @Option(
    help: ArgumentHelp(
      "The parameter of the old event that carries its id (default: `eventId` beside `name`).", valueName: "key"))
  package var idKey: String?

  package init() {}

  /// The table; an empty one without `--remap`.
  ///
  /// - Throws: `CommandError` if it cannot be read, `DocumentError` if it is refused.
  package func table() throws -> RemappingTable {
    try remap.map { try RemappingTable(reading: try InputFile.bytes($0), name: $0) } ?? RemappingTable()
  }

  /// - Throws: `CommandError` if the file cannot be read, `DocumentError` if it is refused.
  package func normalisation() throws -> Normalisation {
    try Normalisation.presets[normalise] ?? Normalisation(try InputFile.bytes(normalise), name: normalise)
  }

  /// The texts of the table and of the normalisation, to tell whether two comparisons have the same.
  ///
  /// - Throws: `CommandError` if a file cannot be read.
  func texts() throws -> [[UInt8]] {
    [
      try remap.map { try InputFile.bytes($0) } ?? [],
      try Normalisation.presets[normalise] == nil ? InputFile.bytes(normalise) : Array(normalise.utf8),
    ]
  }

  /// The join by id.
  package var byID: JoinRule { .eventID(parameter: idKey) }
}
