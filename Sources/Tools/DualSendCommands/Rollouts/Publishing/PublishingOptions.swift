package import ArgumentParser
package import DualSendCommandLine

/// The options that tell where and how a document is published.
package struct PublishingOptions: ParsableArguments {
  @OptionGroup private var signing: SigningOption
  @Option(help: ArgumentHelp("Publish by PUT to this address.", valueName: "address"))
  package var publish: DocumentAddress?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A header field of --publish, such as `Authorization: Bearer …`; @FILE has one on each line. May be repeated.",
      valueName: "name: value|@file"),
    transform: { try HeaderField.fields(of: $0) })
  var header: [[HeaderField]] = []
  @Option(
    help: ArgumentHelp(
      "A revision that apps may have, though the document and its record do not; the next one is higher.",
      valueName: "number"))
  package var revision: Int64?

  package init() {}

  package func validate() throws {
    if publish == nil, !header.isEmpty { throw ValidationError("--header needs --publish") }
  }

  /// The secret key, if there is one.
  package var key: SigningKeyFile? { signing.file }

  /// - Parameter document: where apps read it; `nil` if nothing but the address is known.
  package func publisher(of document: DocumentInput?, on terminal: Terminal) -> RolloutPublisher {
    RolloutPublisher(target: publish, headers: Array(header.joined()), document: document, on: terminal)
  }
}

/// The option `--signing-key`.
struct SigningOption: ParsableArguments {
  @Option(help: ArgumentHelp("Sign what is published with this secret key.", valueName: "file"))
  var signingKey: String?

  /// The secret key, if there is one.
  var file: SigningKeyFile? { signingKey.map(SigningKeyFile.init) }
}
