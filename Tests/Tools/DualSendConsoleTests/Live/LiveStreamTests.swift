import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

@Suite("The live events as a stream", .timeLimit(.minutes(5)))
struct LiveStreamTests {
  /// What one connection brought until its reader had enough.
  private struct Seen {
    var isEmpty = true
    var sequences: [Int64] = []
    var lastEventID: String?
    var names: [String] = []
  }

  /// Reads until a condition holds, then cuts the connection.
  private func read(
    _ bench: ConsoleBench, after: Int64? = nil, lastEventID: String? = nil, opened: () async -> Void = {},
    until isEnough: (Seen) -> Bool
  ) async throws -> Seen {
    let query = after.map { "?after=\($0)" } ?? ""
    var headers = ["Accept": "text/event-stream"]
    headers["Last-Event-ID"] = lastEventID
    let url = try #require(URL(string: bench.address.absoluteString + "api/live/stream" + query))
    let stream = try await bench.transport.stream(HTTPTransportRequest(method: "GET", url: url, headers: headers))
    #expect(stream.status == 200)
    var (seen, rest) = (Seen(), [UInt8]())
    for try await part in stream.body {
      if seen.isEmpty { await opened() }
      seen.isEmpty = false
      rest += part
      while let end = rest.firstRange(of: Array("\n\n".utf8)) {
        note(String(decoding: rest[..<end.lowerBound], as: UTF8.self), in: &seen)
        rest.removeSubrange(..<end.upperBound)
      }
      if isEnough(seen) { break }
    }
    return seen
  }

  private func note(_ block: String, in seen: inout Seen) {
    var fields: [Substring: Substring] = [:]
    for line in block.split(separator: "\n") where !line.hasPrefix(":") {
      let halves = line.split(separator: ":", maxSplits: 1)
      fields[halves[0]] = halves.count > 1 ? halves[1].dropFirst() : ""
    }
    if let id = fields["id"] { seen.lastEventID = String(id) }
    if let name = fields["event"] { seen.names.append(String(name)) }
    guard fields["event"] == "entries", let data = fields["data"],
      case .array(let entries)? = try? JSONReader().value(data.utf8)
    else { return }
    for entry in entries { if case .int(let sequence)? = entry["sequence"] { seen.sequences.append(sequence) } }
  }

  @Test("a cut connection goes on where it was, without a gap or a duplicate", arguments: [1, 7, 40])
  func resume(_ cut: Int) async throws {
    // A cut connection is noticed at the next write, and counts until then.
    var limits = LiveLimits()
    limits.streams = 1000
    try await ConsoleBench.with(limits: limits) { bench async throws in
      for number in 0..<60 { _ = try await bench.post(events: [newEvent(number)]) }
      let first = try await read(bench, after: 0) { $0.sequences.count >= cut || $0.sequences.last == 200 }
      let more = Task {
        for number in 60..<200 { _ = try await bench.post(events: [newEvent(number)]) }
      }
      var seen = first.sequences
      var last = first.lastEventID
      while seen.last != 200 {
        let next = try await read(bench, after: 0, lastEventID: last) {
          $0.sequences.count >= cut || $0.sequences.last == 200
        }
        seen += next.sequences
        last = next.lastEventID ?? last
      }
      try await more.value
      #expect(seen == Array(1...200))
    }
  }

  @Test("a page that was away too long is told of a gap", arguments: ["0", "900", "999999"])
  func gap(_ last: String) async throws {
    var limits = LiveLimits()
    limits.entries = 50
    try await ConsoleBench.with(limits: limits) { bench async throws in
      _ = await bench.pairs.addNew((0..<1000).map { newEvent($0) })
      let seen = try await read(bench, lastEventID: last) { $0.names.contains("totals") }
      #expect(seen.names.first == "gap")
      #expect(seen.lastEventID == "1000")
      #expect(seen.sequences.isEmpty)
    }
  }

  @Test("without a place to go on from, only what is new")
  func fromNow() async throws {
    try await ConsoleBench.with { bench async throws in
      _ = await bench.pairs.addNew([newEvent(1)])
      let seen = try await read(
        bench, opened: { _ = await bench.pairs.addNew([newEvent(2)]) }, until: { !$0.sequences.isEmpty })
      #expect(seen.sequences == [2])
    }
  }

  @Test("no more pages than are allowed, and those that follow stay")
  func bounded() async throws {
    var limits = LiveLimits()
    limits.streams = 2
    try await ConsoleBench.with(limits: limits) { bench async throws in
      let (first, second) = (await bench.pairs.follow(), await bench.pairs.follow())
      #expect(first != nil && second != nil)
      let refused = try await bench.get("api/live/stream")
      #expect(refused.status == 503)
      #expect(refused.json?["error"]?["message"] == "2 pages already follow the events")
      #expect(await bench.pairs.followers.count == 2)
    }
  }

  @Test("a page that left is forgotten")
  func left() async throws {
    let pairs = LiveComparison()
    let stream = LiveStream(of: pairs, after: 0, timeSource: .system)
    await #expect(throws: CancellationError.self) {
      try await stream.run { _ in
        #expect(await pairs.followers.count == 1)
        throw CancellationError()
      }
    }
    #expect(await pairs.followers.count == 0)
  }
}
