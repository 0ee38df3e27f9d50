import DualSendCollector
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("A document", .timeLimit(.minutes(5)))
struct DocumentInputTests {
  private static let text = #"{"formatVersion": 1, "revision": 1, "salt": "test"}"#
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(
    _ arguments: [String], input: FileHandle = .nullDevice
  ) async -> (status: CommandStatus, results: String, diagnostics: String) {
    let recording = RecordingTerminal(input: input)
    let status = await DualSendCommand.run(arguments, on: recording.terminal)
    return (status, recording.results, recording.diagnostics)
  }

  /// Runs the body with a server that hands out the document at `/live.json`.
  private func serving(
    _ body: [UInt8] = Array(text.utf8), _ run: (CollectorServer, URL) async throws -> Void
  ) async throws {
    let server = CollectorServer()
    try await server.start()
    await server.setDocument(body, at: "/live.json")
    try await run(server, try #require(await server.url("/live.json")))
    await server.stop()
  }

  @Test(
    "is read from standard input by every verb about rollouts",
    arguments: [
      ["validate", "-"], ["explain", "-", "--event", "a"], ["plan", "-", "FILE"], ["plan", "FILE", "-"],
      ["simulate", "-", "--events", "EVENTS"], ["explain", "-", "--bucket", "--unit", "u"],
    ])
  func standardInput(_ arguments: [String]) async throws {
    let (file, events) = (try folder.file("file.json", Self.text), try folder.file("events", #"{"name": "a"}"#))
    let named = arguments.map { $0 == "FILE" ? file : $0 == "EVENTS" ? events : $0 }
    let found = await run(named, input: try folder.input(Self.text))
    #expect(found.status == .clean)
    // Without a table, it is said that a name is taken as the app's.
    #expect(named.contains("--event") ? found.diagnostics.contains("(--remap)") : found.diagnostics.isEmpty)
  }

  @Test(
    "is read from standard input once",
    arguments: [
      ["plan", "-", "-"], ["validate", "-", "-"], ["rollback", "-", "--to", "-"],
      ["simulate", "-", "--events", "-"], ["validate", "-", "--events", "-"],
    ])
  func twice(_ arguments: [String]) async {
    #expect(await run(arguments).status == .usage)
  }

  @Test(
    "at no address gets no header fields",
    arguments: [["plan", "a", "b", "--header", "A: b"], ["explain", "a", "--event", "e", "--header", "A: b"]])
  func unusedHeader(_ arguments: [String]) async {
    #expect(await run(arguments).status == .usage)
  }

  @Test("is read from the address of what is live by every verb about rollouts")
  func address() async throws {
    try await serving { _, url in
      let file = try folder.file("file.json", Self.text)
      let events = try folder.file("events", #"{"name": "a"}"#)
      let live = url.absoluteString
      for arguments in [
        ["validate", live], ["explain", live, "--event", "a"], ["plan", live, file], ["plan", file, live],
        ["simulate", live, "--events", events], ["explain", live, "--bucket", "--unit", "u"],
      ] {
        let found = await run(arguments)
        #expect(found.status == .clean, "\(found.diagnostics)")
      }
    }
  }

  @Test("at an address is refused with its status and the way out, and without password and query")
  func refusedAddress() async throws {
    try await serving { server, url in
      let port = try #require(url.port)
      await server.setDocumentFaults([CollectorFault(.status(401))], at: "/live.json")
      let found = await run(["validate", "http://ops:secret@127.0.0.1:\(port)/live.json?token=secret"])
      #expect(found.status == .couldNotRun)
      #expect(
        found.diagnostics == """
          error: cannot read http://…@127.0.0.1:\(port)/live.json: the server answered with status 401
             = help: give a token with --header, or credentials in front of the host: `USER:PASSWORD@`

          """)
      #expect(!found.results.contains("secret"))
      let missing = await run(["validate", "http://127.0.0.1:\(port)/none.json"])
      #expect(missing.diagnostics.contains("answered with status 404\n   = help: check the address"))
    }
  }

  @Test("at an address where nobody listens is refused in time, with the cause")
  func nobody() async throws {
    let found = await run(["plan", "http://127.0.0.1:9/live.json", "http://127.0.0.1:9/live.json"])
    #expect(found.status == .couldNotRun)
    #expect(found.diagnostics.hasPrefix("error: cannot read http://127.0.0.1:9/live.json: "))
    #expect(found.diagnostics.contains("= help: check the address, and whether the server runs"))
  }

  @Test("at an address is named in findings about it")
  func findings() async throws {
    try await serving(Array(#"{"formatVersion": 1}"#.utf8)) { _, url in
      let found = await run(["validate", url.absoluteString])
      #expect(found.status == .findings)
      #expect(found.diagnostics.contains("  --> \(url.absoluteString):1:1\n"))
    }
  }

  @Test("names the user and the password of its address in a header field, and not in the address")
  func credentials() throws {
    let address = try #require(DocumentAddress("https://ops:s%40fe@example.org:8443/r.json?v=1#x"))
    #expect(address.url.absoluteString == "https://example.org:8443/r.json?v=1")
    #expect(address.headers == ["Authorization": "Basic " + Data("ops:s@fe".utf8).base64EncodedString()])
    #expect(address.name == "https://…@example.org:8443/r.json")
    #expect(DocumentAddress("ftp://example.org/r.json") == nil)
    #expect(DocumentAddress("https:///r.json") == nil)
  }

  @Test("is read with a byte order mark, and packed, as a file, from standard input and from an address")
  func forms() async throws {
    let marked = "\u{FEFF}" + Self.text
    let packed = try folder.gzip("r.json.gz", marked)
    #expect(await run(["validate", try folder.file("r.json", marked), packed]).status == .clean)
    let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: packed))
    #expect(await run(["validate", "-"], input: input).status == .clean)
    try await serving(Array(try Data(contentsOf: URL(fileURLWithPath: packed)))) { _, url in
      #expect(await run(["validate", url.absoluteString]).status == .clean)
    }
  }

  @Test("has its findings where an editor shows them, a byte order mark or not")
  func markedPlace() async throws {
    let file = try folder.file("r.json", "\u{FEFF}" + #"{"formatVersion": 1, "revision": -1, "salt": "s"}"#)
    #expect(await run(["validate", file]).diagnostics.contains(":1:34  revision"))
  }

  @Test("that is a folder, is damaged or holds nothing is called that")
  func unreadable() async throws {
    #expect(
      await run(["plan", folder.folder.path, folder.folder.path]).diagnostics == """
        error: cannot read \(folder.folder.path): it is a folder
           = help: name a file in it

        """)
    let packed = try folder.gzip("r.json.gz", Self.text)
    try Data(try Data(contentsOf: URL(fileURLWithPath: packed)).dropLast(4)).write(to: URL(fileURLWithPath: packed))
    #expect(await run(["validate", packed]).diagnostics == "error: cannot read \(packed): the gzip file is cut off\n")
    let empty = try folder.file("empty.json", "")
    #expect(await run(["validate", empty]).diagnostics.hasPrefix("error[DS0001]: the text is empty\n"))
  }
}

@Suite("The process's arguments", .timeLimit(.minutes(5)))
struct ProcessArgumentsTests {
  @Test("are taken as they are")
  func texts() throws {
    #expect(try ProcessArguments.texts(of: [Array("a".utf8), [], Array("日本".utf8)]) == ["a", "", "日本"])
  }

  @Test("are refused where they are not UTF-8")
  func invalid() {
    let error = #expect(throws: CommandError.self) { try ProcessArguments.texts(of: [[0x61], [0x75, 0xFF]]) }
    #expect(error?.message == "argument 2 is not UTF-8")
  }
}
