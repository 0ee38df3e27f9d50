import ArgumentParser
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRollout
@_spi(Tools) import DualSendRolloutAnalysis
import Foundation

/// `dualsend sign`: the detached signature of a rollout document.
struct SignVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a rollout document.",
    discussion: """
      Writes the signature beside the document as FILE.sig; publish both, or send the signature in the header \
      X-Rollout-Signature. It covers the exact bytes: whatever is changed later, be it white space, must be signed \
      again. A document that an app would refuse is not signed.
      """
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The secret key, as `dualsend keygen` wrote it.", valueName: "file"))
  var key: String

  @Flag(help: "Print the signature instead of writing it to a file.")
  var print = false

  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let document = try InputFile.exactBytes(file)
    console.report(try RolloutDocument(reading: document, name: file).warnings, format: format)
    try checkSecrecy()
    guard let signingKey = RolloutSigningKey(base64: String(decoding: try InputFile.bytes(key), as: UTF8.self)) else {
      throw CommandError("\(key) holds no secret key", help: "make one with `dualsend keygen`")
    }
    let signature = try signingKey.signature(of: document).description
    let target = file + "." + RolloutSignature.fileExtension
    if !print { try Data((signature + "\n").utf8).write(to: URL(fileURLWithPath: target), options: .atomic) }
    if format == .json {
      console.result(["signature": .string(signature), "file": print ? .null : .string(target)])
    } else {
      console.result(print ? signature : target.printable())
    }
    return .clean
  }

  /// A key that every user of the machine may read is no secret.
  private func checkSecrecy() throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: key)
    guard let permissions = attributes?[.posixPermissions] as? NSNumber, permissions.intValue & 0o004 != 0,
      attributes?[.type] as? FileAttributeType == .typeRegular
    else { return }
    throw CommandError(
      "everybody on this machine may read the secret key \(key)",
      help: "keep it to yourself with `chmod 600`; if others may have read it, make a new one with `dualsend keygen`")
  }
}
