import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import DualSendTracking
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend salvage, where SQLite reads nothing", .timeLimit(.minutes(5)))
struct SalvageVerbTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  /// Every tenth is larger than a page. Their texts hardly become shorter when they are compressed.
  private func events(_ numbers: Range<Int>) -> [TrackingData] {
    numbers.map { number in
      let count = number.isMultiple(of: 10) ? 10_000 : 250
      var random = SplitMix64(seed: UInt64(number))
      let text = String(
        decoding: (0..<count).map { _ in UInt8(ascii: "0") + UInt8(random.number(below: 40)) }, as: UTF8.self)
      return TrackingData(
        TrackingEvent(
          id: EventID(high: 1, low: UInt64(number)), time: Int64(number) << 33, name: "e\(number)",
          payload: ["text": .string(text)]))
    }
  }

  /// Stores each event in a transaction of its own, so that it has a row of its own.
  private func appendSingly(_ numbers: Range<Int>, to store: SQLiteTrackingDataStore) throws {
    for event in events(numbers) { _ = try store.append([event], dropped: [:], inFlight: nil) }
  }

  private func run(_ arguments: String...) async -> (CommandStatus, RecordingTerminal) {
    let terminal = RecordingTerminal()
    return (await DualSendCommand.run(arguments, on: terminal.terminal), terminal)
  }

  private func salvaged() throws -> [String] {
    try folder.read("out.jsonl").split(separator: "\n").map(String.init)
  }

  @Test("finds the events page by page where the first page is gone", arguments: [true, false])
  func firstPage(areRuns: Bool) async throws {
    let file = URL(fileURLWithPath: folder.path("db.sqlite"))
    let store = try SQLiteTrackingDataStore(file: file)
    if areRuns {
      _ = try store.append(events(0..<300), dropped: [:], inFlight: nil)
    } else {
      try appendSingly(0..<300, to: store)
    }
    store.close()
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(0..<StoreFormat.pageSize, with: Data(count: StoreFormat.pageSize))
    try bytes.write(to: file)
    let (status, terminal) = await run("db", "salvage", file.path, "--output", folder.path("out.jsonl"))
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("page by page"))
    let expected = events(0..<300).map { String(decoding: $0.body, as: UTF8.self) }
    #expect(Set(try salvaged()) == Set(expected))
    #expect(try salvaged().count == expected.count)
  }

  @Test("finds what the log has of a database that is gone, when the log was emptied before")
  func logOfLargeDatabase() async throws {
    let file = URL(fileURLWithPath: folder.path("db.sqlite"))
    let store = try SQLiteTrackingDataStore(file: file)
    for start in stride(from: 0, to: 3000, by: 200) {
      _ = try store.append(events(start..<start + 200), dropped: [:], inFlight: nil)
    }
    try FileManager.default.copyItem(atPath: file.path + "-wal", toPath: folder.path("gone.sqlite-wal"))
    store.close()
    let (status, terminal) = await run(
      "db", "salvage", folder.path("gone.sqlite"), "--output", folder.path("out.jsonl"))
    #expect(status == .findings, "\(terminal.diagnostics)")
    let found = try salvaged()
    #expect((200..<3000).contains(found.count), "\(terminal.results)")
    #expect(Set(found).count == found.count)
    #expect(Set(found).isSubset(of: events(0..<3000).map { String(decoding: $0.body, as: UTF8.self) }))
  }

  /// The offsets of the leaves of the table of events, in the order of their rows.
  private func leaves(_ bytes: Data) -> [Int] {
    stride(from: StoreFormat.pageSize, to: bytes.count, by: StoreFormat.pageSize).filter { page in
      bytes[page] == 0x0D && bytes[page..<page + StoreFormat.pageSize].range(of: Data("eventName".utf8)) != nil
    }
  }

  /// Where the last cell of a leaf has its row number, which takes two bytes.
  private func lastRowNumber(ofLeaf page: Int, in bytes: Data) -> Int {
    let pointer = page + 8 + 2 * (Int(bytes[page + 3]) << 8 + Int(bytes[page + 4]) - 1)
    var offset = page + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
    while bytes[offset] >= 0x80 { offset += 1 }
    return offset + 1
  }

  @Test("ends where a row number is lowered and the next page is gone", .timeLimit(.minutes(5)))
  func walkBack() async throws {
    let file = URL(fileURLWithPath: folder.path("db.sqlite"))
    let store = try SQLiteTrackingDataStore(file: file)
    try appendSingly(1000..<1600, to: store)
    store.close()
    var bytes = try Data(contentsOf: file)
    let leaves = leaves(bytes)
    let middle = leaves[leaves.count / 2]
    bytes[lastRowNumber(ofLeaf: middle, in: bytes)] = 0x81
    bytes[leaves[leaves.count / 2 + 1]] = 0
    try bytes.write(to: file)
    let (status, _) = await run("db", "salvage", file.path, "--output", folder.path("out.jsonl"))
    #expect(status == .findings)
    #expect(try salvaged().count > 500)
  }

  @Test("says how many events a damaged run costs, and finds all others")
  func damagedRun() async throws {
    let file = URL(fileURLWithPath: folder.path("db.sqlite"))
    let store = try SQLiteTrackingDataStore(file: file)
    for start in [0, 20, 40] { _ = try store.append(events(start..<start + 20), dropped: [:], inFlight: nil) }
    store.close()
    var bytes = try Data(contentsOf: file)
    // The id of an event stands in the row as it is; one in the second run is changed.
    let id = Data([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25])
    let place = try #require(bytes.range(of: id))
    bytes[place.lowerBound + 8] = 9
    try bytes.write(to: file)
    let (status, terminal) = await run("db", "salvage", file.path, "--output", folder.path("out.jsonl"))
    #expect(status == .findings, "\(terminal.diagnostics)")
    #expect(terminal.diagnostics.contains("20"), "\(terminal.diagnostics)")
    let whole = events(0..<20) + events(40..<60)
    #expect(try salvaged() == whole.map { String(decoding: $0.body, as: UTF8.self) })
  }
}
