import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@testable import DualSendCommands

/// The verbs that print little of what they read: that little too.
extension HostileTextTests {
  @Test("in documents that are rolled back and served is printed by no verb as it is", arguments: forms)
  func rollbackAndWatch(_ form: String) async throws {
    let (older, current) = (try rollout(), try rollout(revision: 2, new: 5, named: "later.json"))
    #expect(await run(["rollback", current, "--to", older], form: form, isTerminal: true).status == .clean)
    let unreadable = try folder.file("unreadable.json", #"{"revision": "\#u{202E}\u001b]0;", "\u001b[2J": 1}"#)
    #expect(await run(["rollback", current, "--to", unreadable], form: form).status != .clean)

    let text = EventValue.string(Self.hostile)
    let served: [HTTPTransportResponse] = [
      HTTPTransportResponse(status: 200, body: Array(try folder.read("later.json").utf8)),
      HTTPTransportResponse(status: 200, body: Array(try folder.read("unreadable.json").utf8)),
      HTTPTransportResponse(status: 500, headers: ["ETag": Self.hostile], body: Array(text.canonicalText.utf8)),
      HTTPTransportResponse(
        status: 200, headers: ["X-Rollout-Signature": Self.hostile], body: Array(try folder.read("rollout.json").utf8)),
    ]
    let state = folder.path("state\u{1B}\u{202E}\n::error::")
    for response in served {
      let watch = ["watch", "http://user:word@config.test/\(form).json?token=secret", "--once", "--state", state]
      let (_, printed) = await run(watch, form: form, transport: AnsweringCollector(answer: .success(response)))
      #expect(!printed.contains("word@") && !printed.contains("=secret"))
    }
    try folder.write("state\u{1B}\u{202E}\n::error::", "\u{1B}[2J")
    let failure = AnsweringCollector(answer: .failure(.connectionFailed(Self.hostile)))
    let watch = ["watch", "http://config.test/", "--once", "--state", state]
    #expect(await run(watch, form: form, transport: failure).status == .couldNotRun)
  }

  @Test("in documents, keys and signatures is printed by no verb that signs as it is", arguments: forms)
  func signatures(_ form: String) async throws {
    let (document, key) = (try rollout(), folder.path("key"))
    let made = await run(["sign", "new", "--output", key], form: form)
    #expect(made.status == .clean)
    #expect(await run(["sign", document, "--signing-key", key], form: form).status == .clean)
    let publicKey = try #require(made.text.firstMatch(of: /[A-Za-z0-9+\/]{43}=/)).output
    #expect(await run(["sign", "check", document, "--public-key", String(publicKey)], form: form).status == .clean)

    let words = try folder.file("words", Self.hostile)
    #expect(await run(["sign", document, "--signing-key", words], form: form).status != .clean)
    _ = await run(["sign", "check", document, "--public-key", String(publicKey), "--signature", words], form: form)
    _ = await run(["sign", "check", words, "--public-key", String(publicKey), "--signature", words], form: form)
    #expect(await run(["sign", "check", document, "--public-key", Self.hostile], form: form).status == .usage)
    let twice = folder.path("key\u{1B}\n::error::\u{202E}")
    #expect(await run(["sign", "new", "--output", twice], form: form).status == .clean)
    #expect(await run(["sign", "new", "--output", twice], form: form).status == .couldNotRun)
  }

  @Test("in a store is printed by no verb as it is", arguments: forms)
  func salvage(_ form: String) async throws {
    let replay = [
      "replay", "--events", try eventsFile(), "--remap", try table(), "--rollout", try rollout(), "--endpoint",
      "http://collector.test/", "--database", folder.path("db.sqlite"), "--output", folder.path("old.jsonl"),
      "--timeout", "0.2",
    ]
    _ = await run(replay, form: form, transport: AnsweringCollector(answer: .failure(.connectionFailed("no route"))))
    let out = folder.path("saved\u{1B}\n::error::\u{202E}.jsonl")
    #expect(await run(["db", "salvage", folder.path("db.sqlite"), "--output", out], form: form).status == .clean)
    #expect(FileManager.default.fileExists(atPath: out))
    let words = try folder.file("words\u{1B}\n::error::.sqlite", Self.hostile)
    #expect(await run(["db", "salvage", words, "--output", out], form: form).status != .clean)
  }

  @Test("in the names of files that are written or served is printed by no verb as it is", arguments: forms)
  func writtenNames(_ form: String) async throws {
    let name = folder.path("\u{1B}]0;x\u{7}\n::error::forged\n\u{202E}")
    #expect(await run(["collector", "--config", "/a=" + name], form: form).status == .couldNotRun)
    #expect(await run(["collector", "--config", name], form: form).status == .usage)
    #expect(await run(["collector", "--fault", Self.hostile], form: form).status == .usage)
    #expect(await run(["demo", "--fixtures", name], form: form).status == .couldNotRun)
    #expect(await run(["schema", Self.hostile]).status == .usage)
  }

  @Test("in a demonstration's fixtures is printed by no verb as it is", arguments: forms)
  func demo(_ form: String) async throws {
    try FileManager.default.createDirectory(atPath: folder.path("fixtures"), withIntermediateDirectories: false)
    for name in ["remapping.json", "rollout-1.json", "events.jsonl"] {
      try folder.write("fixtures/\(name)", "{\"\u{202E}\u{1B}]0;\u{7}\": \"\u{9B}\"")
    }
    #expect(await run(["demo", "--fixtures", folder.path("fixtures")], form: form).status == .couldNotRun)
  }
}
