import ArgumentParser
import DualSendCommandLine
import DualSendCore
package import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend sign`: signs rollout documents, and makes and checks what that takes.
struct SignVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a rollout document; make keys, and check signatures.",
    usage: """
      dualsend sign <file> --signing-key <file> [--print] [--format <format>]
      dualsend sign new [--output <file>] [--format <format>]
      dualsend sign check <file> --public-key <key> ... [--signature <file>] [--format <format>]
      """,
    subcommands: [SignDocumentVerb.self, SignNewVerb.self, SignCheckVerb.self],
    defaultSubcommand: SignDocumentVerb.self)
}

/// `dualsend sign FILE`: writes the detached signature of a rollout document.
struct SignDocumentVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "document",
    abstract: "Sign a rollout document.",
    discussion: """
      Writes the signature beside the document as FILE.sig; publish both, or send the signature in the header \
      X-Rollout-Signature. The signature covers the exact bytes: after any change, even of white space, sign again. A \
      document that an app would refuse is not signed.
      """.examples("dualsend sign rollout.json --signing-key rollout.key")
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The secret key, as `dualsend sign new` wrote it.", valueName: "file"))
  var signingKey: String

  @Flag(help: "Print the signature instead of writing it to a file.")
  var print = false

  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let document = try InputFile.exactBytes(file)
    terminal.report(try RolloutDocument(proving: document, name: file).warnings, format: format)
    let signature = try SigningKeyFile(signingKey).signature(of: document)
    let target = file + "." + RolloutSignature.fileExtension
    if !print { try Data(signature.fileBytes).write(to: URL(fileURLWithPath: target), options: .atomic) }
    if format == .json {
      terminal.result(["signature": .string(signature.description), "file": print ? .null : .string(target)])
    } else {
      terminal.result(print ? signature.description : target.printable())
    }
    return .clean
  }
}

/// `dualsend sign new`: generates a key pair for signed rollout documents.
struct SignNewVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Generate a key pair for signed rollout documents.",
    discussion: """
      Writes the secret key to a file that only its owner may read, and prints the public key, which goes into the \
      app. To change keys, add the new public key to the app beside the old one, and sign with the new one once all \
      apps have that version.
      """.examples("dualsend sign new -o rollout.key")
  )

  @Option(
    name: .output,
    help: ArgumentHelp("The file for the secret key; must not exist.", valueName: "file"))
  var out = "rollout.key"

  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let key = RolloutSigningKey()
    let contents = Array((key.base64 + "\n").utf8)
    // Never overwrites a key: documents signed with it could no longer be replaced.
    do { try PrivateFile.create(out, with: contents) } catch let error as POSIXError where error.code == .EEXIST {
      throw CommandError("\(out) exists", help: "name another file with --output")
    } catch {
      throw CommandError("cannot write \(out): \(error.localizedDescription)", help: "check the path")
    }
    terminal.note("the secret key is in \(out); keep it out of the repository and out of the app")
    switch format {
    case .json: terminal.result(["publicKey": .string(key.publicKey.description), "secretKeyFile": .string(out)])
    case .text, .github: terminal.result(key.publicKey.description)
    }
    return .clean
  }
}

/// `dualsend sign check`: checks a document's signature against public keys.
struct SignCheckVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the signature of a rollout document.",
    discussion: "Prints the key that signed the document. Exit status 1 if none did.".examples(
      "dualsend sign check rollout.json \\\n      --public-key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var file: String

  @Option(
    name: .customLong("public-key"), parsing: .singleValue,
    help: ArgumentHelp("A public key, as `dualsend sign new` prints it; may be repeated.", valueName: "key"),
    transform: { try RolloutPublicKey.argument($0) })
  var publicKeys: [RolloutPublicKey]

  @Option(help: ArgumentHelp("The signature's file (default: FILE.sig).", valueName: "file"))
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
    let signer = signer(signature, of: document)
    if signer == nil,
      let changed = Self.withOtherLineEnds(document).first(where: { self.signer(signature, of: $0) != nil })
    {
      let isNowCRLF = changed.count < document.count
      terminal.report(
        [
          DocumentDiagnostic(
            .error, .changedLineEnds,
            "the signature is of the text with other line ends: these are \(isNowCRLF ? "CR LF" : "LF") now",
            file: file,
            help:
              "publish the bytes that were signed (in .gitattributes: `\(URL(fileURLWithPath: file).lastPathComponent) "
              + "-text`), or sign again")
        ], format: format)
    }
    switch format {
    case .json: terminal.result(["publicKey": signer.map { .string($0.description) } ?? .null])
    case .text, .github:
      let name = file.printable()
      terminal.result(signer.map { "\(name) is signed with \($0)" } ?? "\(name) is not signed with any of these keys")
    }
    return signer == nil ? .findings : .clean
  }

  private func signer(_ signature: RolloutSignature, of document: [UInt8]) -> RolloutPublicKey? {
    publicKeys.first { RolloutSignatureVerifier.ofTools.accepts(signature, of: document, by: $0) }
  }

  /// What a version control or an editor may have made the text from.
  private static func withOtherLineEnds(_ document: [UInt8]) -> [[UInt8]] {
    let text = document.filter { $0 != UInt8(ascii: "\r") }
    return [text, text.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }]
  }
}

extension DocumentDiagnostic.Code {
  /// The line ends of a signed document were changed.
  static let changedLineEnds = DocumentDiagnostic.Code(rawValue: "DS0420")
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

// MARK: - The key's file

/// A file with the secret key for signing documents.
package struct SigningKeyFile: Sendable {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// - Throws: ``CommandError`` if the file cannot be read, holds no key, or is readable by other users.
  package func signature(of document: [UInt8]) throws -> RolloutSignature {
    let bytes = try InputFile.opened(path) {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      try checkSecrecy(handle)
      return try InputFile.bytes(of: handle, name: path)
    }
    guard let key = RolloutSigningKey(base64: String(decoding: bytes, as: UTF8.self)) else {
      throw CommandError("\(path) holds no secret key", help: "make one with `dualsend sign new`")
    }
    return try key.signature(of: document)
  }

  /// Refuses a key that other users of the machine may read or replace, also through a link. A pipe has no such permissions.
  private func checkSecrecy(_ handle: FileHandle) throws {
    var info = stat()
    guard fstat(handle.fileDescriptor, &info) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    guard info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o066 != 0 else { return }
    throw CommandError(
      "other users of this machine may read the secret key \(path)",
      help: "restrict access with `chmod 600`; if others may have read it, generate a new one with `dualsend sign new`")
  }
}

extension RolloutSignature {
  /// The contents of the signature's file.
  package var fileBytes: [UInt8] { Array((description + "\n").utf8) }
}
