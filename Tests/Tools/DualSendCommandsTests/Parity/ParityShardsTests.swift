import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool
import Foundation
import Testing

@Suite("dualsend parity in shards", .timeLimit(.minutes(5)))
struct ParityShardsTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
    try folder.write(
      "table.json", #"{"formatVersion":1,"events":{"a":{"name":"b","parameters":{"id":"item_id","n":null}}}}"#)
    let numbers = 1...60
    func old(_ number: Int, _ item: Int) -> String {
      #"{"eventId":"i\#(number)","name":"a","parameters":{"id":\#(item),"uid":"u\#(number % 3)"},"time":\#(number * 9_000_000)}"#
    }
    try folder.write(
      "old.jsonl", (numbers.filter { $0 != 7 }.map { old($0, $0) } + ["{"]).joined(separator: "\n"))
    try folder.write("again.jsonl", numbers.map { old($0, $0 == 9 ? 0 : $0) }.joined(separator: "\n"))
    let news = numbers.filter { $0 != 8 }.map { number in
      #"{"eventId":"i\#(number)","eventName":"b","eventTime":\#(number * 9_000_000),"payload":{"item_id":\#(number % 20),"uid":"u\#(number % 3)"}}"#
    }
    try folder.write("new.jsonl", news.joined(separator: "\n"))
  }

  private func run(_ arguments: [String], input: String? = nil) async throws -> (CommandStatus, RecordingTerminal) {
    let handle: FileHandle
    if let input {
      try folder.write("input", input)
      handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("input")))
    } else {
      handle = .nullDevice
    }
    let terminal = RecordingTerminal(input: handle)
    return (await DualSendCommand.run(["parity"] + arguments, on: terminal.terminal), terminal)
  }

  @Test(
    "prints what one process prints, in every form, with its findings, days and status",
    arguments: [
      [], ["--by-order", "--unit-key", "uid"], ["--normalise", "firebase", "--ignore", "item_id"],
      ["--max-failing", "90%", "--max-malformed", "1"], ["--calibrate"],
    ], ["text", "json", "markdown", "html"])
  func equality(options: [String], form: String) async throws {
    let isCalibrated = options == ["--calibrate"]
    let options = (isCalibrated ? [] : options) + ["--remap", folder.path("table.json")]
    let streams = ["--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl")]
    let calibrate = isCalibrated ? ["--calibrate", folder.path("again.jsonl")] : []
    let (status, whole) = try await run(
      streams + calibrate + options + ["--format", form, "--trend", folder.path("whole")])

    let shards = try await run(["--shards", "4"] + streams + calibrate + options)
    #expect(shards.0 == .clean && shards.1.diagnostics.isEmpty)
    var partials: [String] = []
    for shard in 0..<4 {
      let lines = shards.1.results.split(separator: "\n").filter { $0.hasPrefix("\(shard)\t") }.shuffled()
      let (status, partial) = try await run(["--partial"] + options, input: lines.joined(separator: "\n"))
      #expect(status == .clean && partial.diagnostics.isEmpty)
      partials.append(partial.results)
    }
    let report = ["--format", form, "--trend", folder.path("merged")]
    let (mergedStatus, merged) = try await run(["--merge"] + streams + options + report, input: partials.joined())
    #expect(mergedStatus == status)
    #expect(merged.results == whole.results)
    #expect(merged.diagnostics.replacing(folder.path("merged"), with: folder.path("whole")) == whole.diagnostics)
    #expect(try folder.read("merged") == folder.read("whole"))

    try folder.write("1", partials[0] + partials[1])
    try folder.write("2", partials[2] + partials[3])
    let files = try await run(
      ["--merge", folder.path("1"), folder.path("2")] + streams + options + ["--format", form])
    #expect(files.1.results == whole.results)
    let incomplete = try await run(["--merge", folder.path("1")] + options)
    #expect(incomplete.0 == .couldNotRun)
    #expect(incomplete.1.diagnostics.contains("shard 2 is missing; 2 of 4 shards were compared"))
  }

  @Test("a partial comparison needs the join of its shards, and a sum the same options")
  func otherOptions() async throws {
    let table = ["--remap", folder.path("table.json")]
    let lines = try await run(["--shards", "1", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl")])
    let other = try await run(["--partial", "--id-key", "id"] + table, input: lines.1.results)
    #expect(other.0 == .couldNotRun)
    #expect(other.1.diagnostics.contains("`parity --shards` was called with other options of the join"))
    let one = try await run(["--partial"] + table, input: lines.1.results).1.results
    let two = try await run(["--partial", "--ignore", "x"] + table, input: lines.1.results).1.results
    let sum = try await run(["--merge"], input: one + two)
    #expect(sum.0 == .couldNotRun)
    #expect(sum.1.diagnostics.contains("line 2 of standard input cannot be added"))
  }

  @Test(
    "refuses options that do not go together",
    arguments: [
      ["--shards", "0", "--old", "a"], ["--shards", "2"], ["--shards", "2", "--partial", "--old", "a"],
      ["--shards", "2", "--old", "a", "--by-order"], ["--partial"], ["--partial", "--remap", "t", "--old", "a"],
      ["--merge", "--calibrate", "a"], ["file"], ["--numbered", "--partial", "--remap", "t"],
      ["--old", "a", "--new", "b"],
      ["--old", "a", "--remap", "t"],
    ])
  func usage(arguments: [String]) async throws {
    #expect(try await run(arguments).0 == .usage)
  }
}
