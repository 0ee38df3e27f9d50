import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendTool
import Foundation
import Testing

@Suite("dualsend keygen, sign and verify", .timeLimit(.minutes(5)))
struct SignatureVerbTests {
  private static let document = #"{"formatVersion": 1, "revision": 1, "salt": "test"}"#
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("signature-\(UUID())")

  /// Runs the verb on a folder with a document in it.
  private func inFolder(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(Self.document)
    try await body()
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent("rollout.json"))
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func run(_ arguments: String...) async -> (status: CommandStatus, results: String, diagnostics: String) {
    let recording = RecordingTerminal()
    let status = await DualSendCommand.run(arguments, on: recording.terminal)
    return (status, recording.results, recording.diagnostics)
  }

  /// Makes a key, and gives its public half.
  private func keygen(_ name: String = "rollout.key") async -> String {
    await run("sign", "new", "--output", path(name)).results.trimmingCharacters(in: .newlines)
  }

  @Test("sign a document that then verifies")
  func roundTrip() async throws {
    try await inFolder {
      let publicKey = await keygen()
      let signed = await run("sign", path("rollout.json"), "--signing-key", path("rollout.key"))
      #expect(signed.status == .clean)
      #expect(signed.results == path("rollout.json.sig") + "\n")
      let verified = await run("sign", "check", path("rollout.json"), "--public-key", publicKey)
      #expect(verified.status == .clean)
      #expect(verified.results == "\(path("rollout.json")) is signed with \(publicKey)\n")
    }
  }

  @Test("name line ends that were changed after the signature", arguments: [true, false])
  func lineEnds(signsCRLF: Bool) async throws {
    try await inFolder {
      let publicKey = await keygen()
      let (plain, crlf) = ("\(Self.document)\n", Self.document.replacing("\n", with: "\r\n") + "\r\n")
      try write(signsCRLF ? crlf : plain)
      _ = await run("sign", path("rollout.json"), "--signing-key", path("rollout.key"))
      try write(signsCRLF ? plain : crlf)
      let verified = await run("sign", "check", path("rollout.json"), "--public-key", publicKey)
      #expect(verified.status == .findings)
      #expect(verified.diagnostics.contains("error[DS0420]"))
      #expect(verified.diagnostics.contains(signsCRLF ? "these are LF now" : "these are CR LF now"))
      try write(plain + "\n")
      let other = await run("sign", "check", path("rollout.json"), "--public-key", publicKey)
      #expect(other.status == .findings && other.diagnostics.isEmpty)
    }
  }

  @Test("find out a document that was changed after it was signed")
  func changed() async throws {
    try await inFolder {
      let publicKey = await keygen()
      _ = await run("sign", path("rollout.json"), "--signing-key", path("rollout.key"))
      try write(Self.document + "\n")
      let verified = await run("sign", "check", path("rollout.json"), "--public-key", publicKey, "--format", "json")
      #expect(verified.status == .findings)
      #expect(verified.results == #"{"publicKey":null}"# + "\n")
    }
  }

  @Test("say which of two keys signed")
  func rotation() async throws {
    try await inFolder {
      let (old, new) = (await keygen("old.key"), await keygen("new.key"))
      _ = await run("sign", path("rollout.json"), "--signing-key", path("new.key"))
      let verified = await run("sign", "check", path("rollout.json"), "--public-key", old, "--public-key", new)
      #expect(verified.results.hasSuffix("is signed with \(new)\n"))
    }
  }

  @Test("keep a secret key from everybody but its owner, and off the screen")
  func secrecy() async throws {
    try await inFolder {
      let made = await run("sign", "new", "--output", path("rollout.key"))
      let attributes = try FileManager.default.attributesOfItem(atPath: path("rollout.key"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let secret = try String(contentsOf: folder.appendingPathComponent("rollout.key"), encoding: .utf8)
      #expect(!made.results.contains(secret.dropLast()))
      #expect(!made.diagnostics.contains(secret.dropLast()))
    }
  }

  @Test("never write over a key")
  func keptKey() async throws {
    try await inFolder {
      _ = await keygen()
      let again = await run("sign", "new", "--output", path("rollout.key"))
      #expect(again.status == .couldNotRun)
      #expect(again.diagnostics == "error: \(path("rollout.key")) exists\n   = help: name another file with --output\n")
    }
  }

  @Test("do not sign a document that an app would refuse")
  func refusedDocument() async throws {
    try await inFolder {
      _ = await keygen()
      try write(#"{"formatVersion": 1, "revision": 1, "salt": "test", "shouldSendLogToOldLogger": 50}"#)
      let signed = await run("sign", path("rollout.json"), "--signing-key", path("rollout.key"))
      #expect(signed.status == .couldNotRun)
      #expect(signed.diagnostics.hasPrefix("error[DS0210]"))
      #expect(!FileManager.default.fileExists(atPath: path("rollout.json.sig")))
    }
  }

  @Test("print the signature on demand, for a header")
  func printed() async throws {
    try await inFolder {
      _ = await keygen()
      let signed = await run("sign", path("rollout.json"), "--signing-key", path("rollout.key"), "--print")
      #expect(Data(base64Encoded: String(signed.results.dropLast()))?.count == 64)
      #expect(!FileManager.default.fileExists(atPath: path("rollout.json.sig")))
    }
  }

  @Test("refuse a file that holds no key, and a text that is none")
  func noKey() async throws {
    try await inFolder {
      let signed = await run("sign", path("rollout.json"), "--signing-key", path("rollout.json"))
      #expect(signed.status == .couldNotRun)
      #expect(await run("sign", "check", path("rollout.json"), "--public-key", "AAAA").status == .usage)
    }
  }

  @Test("tell a file that holds no signature from the signature of another key", arguments: ["", "c2lnbmVk", "?"])
  func brokenSignature(_ text: String) async throws {
    try await inFolder {
      let publicKey = await keygen()
      try Data(text.utf8).write(to: folder.appendingPathComponent("rollout.json.sig"))
      let verified = await run("sign", "check", path("rollout.json"), "--public-key", publicKey)
      #expect(verified.status == .couldNotRun)
      #expect(
        verified.diagnostics == """
          error: \(path("rollout.json.sig")) holds no signature: one is 64 bytes in base64
             = help: make one with `dualsend sign`

          """)
    }
  }

  @Test("make no key in the place of a link, also of one to nothing")
  func linkedKey() async throws {
    try await inFolder {
      try FileManager.default.createSymbolicLink(atPath: path("rollout.key"), withDestinationPath: path("elsewhere"))
      let made = await run("sign", "new", "--output", path("rollout.key"))
      #expect(made.status == .couldNotRun && made.diagnostics.contains("rollout.key exists"))
      #expect(!FileManager.default.fileExists(atPath: path("elsewhere")))
    }
  }

  @Test("do not sign with a key that others may read or replace", arguments: [0o644, 0o640, 0o602, 0o620])
  func openKey(mode: Int) async throws {
    try await inFolder {
      _ = await keygen()
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path("rollout.key"))
      let signed = await run("sign", path("rollout.json"), "--signing-key", path("rollout.key"))
      #expect(signed.status == .couldNotRun)
      #expect(signed.diagnostics.hasPrefix("error: other users of this machine may read the secret key"))
      #expect(signed.diagnostics.contains("chmod 600"))
      #expect(!FileManager.default.fileExists(atPath: path("rollout.json.sig")))
    }
  }
}
