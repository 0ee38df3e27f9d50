import DualSendTracking

#if os(Linux)
  import CustomDump
  import DualSend
  import DualSendCore
  import Foundation
  import Testing

  @Suite("A sink's file on a full disk", .enabled(if: SmallDisk.isMountable, SmallDisk.whyNot), .timeLimit(.minutes(5)))
  struct FullDiskSinkTests {
    @Test("keeps whole lines, and gets the rest when there is space again", arguments: [0, 1, 5000, 100_000])
    func fullDisk(leaving bytes: Int) async throws {
      let disk = try SmallDisk()
      let file = disk.folder.file("events.jsonl")
      let stores = try TemporaryFolder()
      let sink = Sink.buffered("file", to: JSONLinesReceiver(file: file), start: .onDemand) { configuration in
        configuration.storage = .file(stores.file("sink.sqlite"))
        configuration.digest.batchEvents = 100
        configuration.retry.backoff = .ladder(retryLimit: 0)
        configuration.logger = .silent
      }
      let tracker = try #require(sink.tracker)
      try Data("{}\n".utf8).write(to: file)
      try disk.fill(leaving: UInt64(bytes / SmallDisk.blockBytes * SmallDisk.blockBytes))
      for number in 0..<1000 { tracker.sendLog(name: "e\(number)", payload: ["text": .string("some more bytes")]) }
      await tracker.flush()
      let ledger = await tracker.statistics.ledger
      #expect(ledger.isBalanced)
      #expect(ledger.pending > 0)
      // What was acknowledged stands there whole, and nothing of what was not.
      expectNoDifference(try Self.names(in: file).count, ledger.delivered)
      expectNoDifference(try String(contentsOf: file, encoding: .utf8).last, "\n")

      try disk.free()
      await tracker.flush()
      expectNoDifference(try Self.names(in: file), (0..<1000).map { "e\($0)" })
      #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 1000, delivered: 1000))
      await tracker.shutdown()
    }

    /// The events' names, by whole lines.
    private static func names(in file: URL) throws -> [String] {
      try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
        guard case .object(let event)? = try? JSONReader().value(line), case .string(let name)? = event["eventName"]
        else { return nil }
        return name
      }
    }
  }
#endif
