import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendSignatures
import Foundation

/// `dualsend verify`: checks a document's signature against public keys.
struct VerifyVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the signature of a rollout document.",
    discussion: "Prints the key that signed the document. Exit status 1 if none did."
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var file: String

  @Option(
    name: .customLong("public-key"), parsing: .singleValue,
    help: ArgumentHelp("A public key, as `dualsend keygen` prints it; may be repeated.", valueName: "key"),
    transform: { try RolloutPublicKey.argument($0) })
  var publicKeys: [RolloutPublicKey]

  @Option(help: ArgumentHelp("The signature's file; FILE.sig if left out.", valueName: "file"))
  var signature: String?

  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let document = try InputFile.exactBytes(file)
    let signatureFile = signature ?? file + "." + RolloutSignature.fileExtension
    let text = String(decoding: try InputFile.bytes(signatureFile), as: UTF8.self)
    guard let signature = RolloutSignature(base64: text) else {
      throw CommandError(
        "\(signatureFile) holds no signature: one is 64 bytes in base64", help: "make one with `dualsend sign`")
    }
    let signer = publicKeys.first { RolloutSignatureVerifier.ed25519?.accepts(signature, of: document, by: $0) == true }
    switch format {
    case .json: terminal.result(["publicKey": signer.map { .string($0.description) } ?? .null])
    case .text, .github:
      let name = file.printable()
      terminal.result(signer.map { "\(name) is signed with \($0)" } ?? "\(name) is not signed with any of these keys")
    }
    return signer == nil ? .findings : .clean
  }
}

extension RolloutPublicKey {
  /// Reads a key from a command line.
  static func argument(_ text: String) throws -> RolloutPublicKey {
    guard let key = RolloutPublicKey(base64: text) else {
      throw ValidationError("`\(text)` is not a public key of 32 bytes in base64")
    }
    return key
  }
}
