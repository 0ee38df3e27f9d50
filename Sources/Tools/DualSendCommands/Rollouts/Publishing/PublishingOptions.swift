package import ArgumentParser
package import DualSendCommandLine

/// The options that tell where and how a document is published, and recorded.
package struct PublishingOptions: ParsableArguments {
  @OptionGroup private var signing: SigningOption
  @Option(
    help: ArgumentHelp(
      "Publish by PUT to this address (default: the document, if that is an address).", valueName: "address"))
  package var publish: DocumentAddress?
  @OptionGroup var request: RequestOptions
  @OptionGroup package var record: RecordOptions

  package init() {}

  /// The secret key, if there is one.
  package var key: SigningKeyFile? { signing.file }

  /// The act for a document.
  package func act(on document: DocumentInput, _ terminal: Terminal) throws -> PublicationAct {
    let target = PublicationTarget(document, at: publish, headers: request.fields)
    if target.address == nil, !request.fields.isEmpty { throw CommandError("--header needs an address") }
    return PublicationAct(
      target, record: record.record(of: target, on: terminal), key: key, known: request.revision,
      isUnsigned: request.unsigned, on: terminal)
  }

  /// The options that a command about the same document needs again.
  func words(_ document: DocumentInput) -> String {
    var words = [document.name]
    if let publish { words += ["--publish", publish.name] }
    if !request.fields.isEmpty { words += ["--header …"] }
    if let path = signing.signingKey { words += ["--signing-key", path] }
    if let path = record.history { words += ["--history", path] }
    return words.joined(separator: " ")
  }
}

/// The options of a command that publishes, about its requests and its text.
struct RequestOptions: ParsableArguments {
  @OptionGroup private var headers: HeaderOption
  @Option(
    help: ArgumentHelp(
      "A revision that apps may have, though the document and its record do not; the next one is higher.",
      valueName: "number"))
  var revision: Int64?
  @Flag(help: "Publish without a signature, though there is one, or it cannot be told.")
  var unsigned = false

  var fields: [HeaderField] { headers.fields }
}

/// The option `--header`, for a host that wants a token.
struct HeaderOption: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A header field of each request to an address, such as `Authorization: Bearer …`; @FILE has one on each line. May be "
        + "repeated.", valueName: "name: value|@file"),
    transform: { try HeaderField.fields(of: $0) })
  private var header: [[HeaderField]] = []

  var fields: [HeaderField] { Array(header.joined()) }

  /// Refuses header fields that no request would have.
  func check(_ documents: DocumentInput?...) throws {
    guard fields.isEmpty || documents.contains(where: { $0?.address != nil }) else {
      throw ValidationError("--header needs an address")
    }
  }
}

/// The option `--signing-key`.
struct SigningOption: ParsableArguments {
  @Option(help: ArgumentHelp("Sign what is published with this secret key.", valueName: "file"))
  var signingKey: String?

  /// The secret key, if there is one.
  var file: SigningKeyFile? { signingKey.map(SigningKeyFile.init) }
}

// MARK: - The record

/// The options of commands that publish, about the record of what was published.
package struct RecordOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The name to record as the publisher (default: the system's user).", valueName: "name"),
    transform: { try Publication.user($0) })
  package var user: String?
  @Option(
    help: ArgumentHelp(
      "The record of publications (default: DOCUMENT.history.jsonl; for an address, a file in $XDG_STATE_HOME/dualsend).",
      valueName: "file"))
  package var history: String?

  package init() {}

  /// The record of a document; `nil` if there is no place for it.
  package func record(of target: PublicationTarget, on terminal: Terminal) -> PublicationRecord? {
    if let history { return PublicationRecord(history) }
    if let file = target.file { return PublicationRecord(besideDocument: file) }
    return target.address.flatMap { PublicationRecord(of: $0, environment: terminal.environment) }
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
