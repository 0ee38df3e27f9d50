package import ArgumentParser
import DualSendCommandLine

/// The options of commands that publish, about the record of what was published.
package struct RecordOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The name to record as the publisher (default: the system's user).", valueName: "name"),
    transform: { try Publication.user($0) })
  package var user: String?
  @Option(
    help: ArgumentHelp(
      "The record of publications (default: DOCUMENT.history.jsonl; none for an address).", valueName: "file"
    ))
  package var history: String?

  package init() {}

  /// The record of a document; `nil` for an address without `--history`.
  package func record(of document: DocumentInput) -> PublicationRecord? {
    history.map { PublicationRecord($0) } ?? document.path.map { PublicationRecord(besideDocument: $0) }
  }

  /// The revision of the next publication: above the live one, all recorded ones, and one that is known otherwise.
  ///
  /// What is read as the live document may be an old copy.
  ///
  /// - Throws: ``CommandError`` if none can follow.
  package func nextRevision(of document: DocumentInput, after live: Int64, known: Int64? = nil) throws -> Int64 {
    // A record that cannot be read must not keep anybody from stopping a rollout; publishing says that it cannot be written.
    let recorded = (try? record(of: document)?.highestRevision()) ?? nil ?? live
    let next = max(live, recorded, known ?? live).addingReportingOverflow(1)
    guard !next.overflow else { throw CommandError("no revision can follow \(Int64.max), the highest there is") }
    return next.partialValue
  }
}

/// The option `--message`.
package struct MessageOption: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The reason to record.", valueName: "text"),
    transform: { try Publication.message($0) ?? "" })
  package var message: String?

  package init() {}
}
