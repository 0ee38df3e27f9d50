import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend sign`: writes the detached signature of a rollout document.
struct SignVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a rollout document.",
    discussion: """
      Writes the signature beside the document as FILE.sig; publish both, or send the signature in the header \
      X-Rollout-Signature. The signature covers the exact bytes: after any change, even of white space, sign again. A \
      document that an app would refuse is not signed.
      """
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The secret key, as `dualsend keygen` wrote it.", valueName: "file"))
  var key: String

  @Flag(help: "Print the signature instead of writing it to a file.")
  var print = false

  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let document = try InputFile.exactBytes(file)
    terminal.report(try RolloutDocument(proving: document, name: file).warnings, format: format)
    let signature = try SigningKeyFile(key).signature(of: document)
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
