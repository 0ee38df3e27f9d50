import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend keygen`: generates a key pair for signed rollout documents.
struct KeygenVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Generate a key pair for signed rollout documents.",
    discussion: """
      Writes the secret key to a file that only its owner may read, and prints the public key, which goes into the \
      app. To change keys, add the new public key to the app beside the old one, and sign with the new one once all \
      apps have that version.
      """
  )

  @Option(help: ArgumentHelp("The file for the secret key; must not exist.", valueName: "file"))
  var out = "rollout.key"

  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let key = RolloutSigningKey()
    let contents = Data((key.base64 + "\n").utf8)
    // Never overwrites a key: documents signed with it could no longer be replaced.
    guard !FileManager.default.fileExists(atPath: out) else {
      throw CommandError("\(out) exists", help: "name another file with --out")
    }
    guard FileManager.default.createFile(atPath: out, contents: contents, attributes: [.posixPermissions: 0o600])
    else { throw CommandError("cannot write \(out)", help: "check the path") }
    terminal.note("the secret key is in \(out); keep it out of the repository and out of the app")
    switch format {
    case .json: terminal.result(["publicKey": .string(key.publicKey.description), "secretKeyFile": .string(out)])
    case .text, .github: terminal.result(key.publicKey.description)
    }
    return .clean
  }
}
