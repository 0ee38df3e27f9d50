import CustomDump
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendRollout
import Foundation
import Testing

@testable import DualSendParity

@Suite("A comparison in shards", .timeLimit(.minutes(5)))
struct ShardTests {
  private static let table =
    #"{"formatVersion":1,"events":{"tap":{"name":"tapped","parameters":{"id":"item"}},"*":{"parameters":{"uid":"user"}}}}"#

  /// The lines of both streams, and of a second recording of the old one.
  private struct Streams {
    var old: [String] = []
    var new: [String] = []
    var calibrate: [String] = []

    /// Lines of every kind: pairs, differing pairs, lone lines, repeated ids, broken lines and blank ones.
    init(seed: UInt64, hasIDs: Bool = true, carriesDecisions: Bool = false) {
      var random = SplitMix64(seed: seed)
      for number in 0..<600 {
        let id = number.isMultiple(of: 40) ? number / 80 : number
        let (time, unit) = (1_700_000_000_000 + 3_600_000 * (number % 100), "u\(number % 7)")
        let name = ["tap", "open", "tap.\(number % 5)"][number % 3]
        let decision = carriesDecisions && number % 4 > 0 ? ["7:both", "7:old", "8:new"][number % 3] : nil
        func old(_ noise: Int) -> String {
          let identity = hasIDs && !carriesDecisions ? #""eventId":"id\#(id)","# : ""
          let inside =
            carriesDecisions ? #","_id":"id\#(id)""# + (decision.map { #","dual_send":"\#($0)""# } ?? "") : ""
          return
            #"{\#(identity)"name":"\#(name)","parameters":{"id":\#(id),"uid":"\#(unit)","noise":\#(noise)\#(inside)},"unitID":"\#(unit)","time":\#(time)}"#
        }
        if Int.random(in: 0..<10, using: &random) > 0 { self.old.append(old(1)) }
        calibrate.append(old(Int.random(in: 0..<9, using: &random) == 0 ? 2 : 1))
        if Int.random(in: 0..<10, using: &random) > 0 {
          let decision = decision.map { #""decision":"\#($0)","# } ?? ""
          let item = Int.random(in: 0..<12, using: &random) == 0 ? #""\#(id)""# : "\(id)"
          new.append(
            #"{\#(decision)"eventId":"id\#(id)","eventName":"\#(name == "tap" ? "tapped" : name)","eventTime":\#(time + number % 9),"payload":{"\#(name == "tap" ? "item" : "id")":\#(item),"noise":1,"user":"\#(unit)"}}"#
          )
        }
        if number.isMultiple(of: 150) {
          self.old += ["", "{", #"{"name":"tap","parameters":[]}"#]
          new += [" ", "[]", #"{"eventId":"id\#(id)","eventName":"x","payload":{"a":01}}"#]
        }
      }
      new.shuffle(using: &random)
    }

    subscript(stream: ShardStream) -> [String] {
      switch stream {
      case .old: old
      case .new: new
      case .calibrate: calibrate
      }
    }
  }

  private func comparer(_ join: JoinRule, _ membership: StreamMembership = .everywhere) throws -> ParityComparer {
    var comparer = ParityComparer(table: try RemappingTable(reading: Self.table.utf8), join: join)
    comparer.membership = membership
    comparer.countsDays = true
    return comparer
  }

  private func reader(_ text: String) throws -> LineReader {
    try file(text) { try LineReader($0) }
  }

  private func recording(_ text: String) throws -> RecordingReader {
    try file(text) { try RecordingReader($0) }
  }

  private func file<Reader>(_ text: String, _ open: (URL) throws -> Reader) throws -> Reader {
    let file = FileManager.default.temporaryDirectory.appending(path: "shard-\(UUID()).jsonl")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try open(file)
  }

  /// What `--shards` writes.
  private func shardLines(
    _ streams: Streams, of comparer: ParityComparer, count: Int, _ sides: [ShardStream] = ShardStream.allCases
  ) throws -> [String] {
    let written = Locked<[UInt8]>([])
    var writer = ShardWriter(count: count, join: comparer.join, table: comparer.table, mark: "join") { bytes in
      written.withLock { $0 += bytes }
    }
    for side in sides {
      try writer.add(try recording(streams[side].joined(separator: "\n")), as: side, name: side.rawValue)
    }
    return String(decoding: written.current, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func partial(_ lines: [String], _ comparer: ParityComparer, mark: String = "join") throws -> PartialParity {
    try comparer.compareShards(try reader(lines.joined(separator: "\n")), comparison: "all", mark: mark)
  }

  private func merged(_ lines: [String], _ comparer: ParityComparer, tasks: Int) throws -> ParityReport {
    var sum = PartialSum()
    for task in 0...tasks {
      // The last task has no shard.
      let own = lines.filter { Int($0.prefix { $0 != "\t" }).map { $0 % tasks == task } ?? false }
      // Lines without their shard are as good.
      let stripped = own.map { task == 0 ? String($0.drop { $0 != "\t" }.dropFirst()) : $0 }
      try sum.add(try PartialParity(try partial(stripped, comparer).json.canonicalJSON))
    }
    return try sum.total()
  }

  private func whole(_ streams: Streams, _ comparer: ParityComparer, isCalibrated: Bool) throws -> ParityReport {
    let files = try StreamFiles(old: streams.old, new: streams.new)
    let report = try comparer.compare(old: files.old, new: files.new)
    guard isCalibrated else { return report }
    var comparer = comparer
    comparer.countsDays = false
    let again = try StreamFiles(old: streams.old, new: streams.calibrate)
    return report.calibrated(by: try comparer.compare(old: again.old, new: again.new, form: .legacy))
  }

  private static func rollouts() throws -> StreamMembership {
    let published = try [(7, 50, nil), (8, 100, 1_700_100_000_000)].map { revision, percent, since in
      PublishedRollout(
        try RolloutDocument(
          reading: """
            {"formatVersion":1,"revision":\(revision),"salt":"s","shouldSendLogToOldLogger":100,\
            "shouldSendLogToNewTracker":\(percent)}
            """.utf8), since: since)
    }
    var keys = RolloutMembership.Keys()
    keys.unit = try KeyPathPattern("user")
    return .rollout(RolloutMembership(published, late: 3_600_000, context: .init(), keys: keys, at: nil))
  }

  @Test(
    "gives the report of one process, in any order of lines and any number of tasks",
    arguments: ["by id", "with decisions", "with documents", "by order", "by order within a window", "with noise"],
    [1, 5])
  func equality(form: String, tasks: Int) throws {
    var streams = Streams(
      seed: UInt64(tasks), hasIDs: !form.hasPrefix("by order"), carriesDecisions: form == "with decisions")
    let unit = try KeyPathPattern("user")
    var comparer =
      switch form {
      case "with decisions": try comparer(.eventID(parameter: "_id"))
      case "with documents": try comparer(.eventID(parameter: nil), Self.rollouts())
      case "by order": try comparer(.order(unit: nil, window: nil), .oneSidedAllowed(in: [.old]))
      case "by order within a window": try comparer(.order(unit: unit, window: 5))
      default: try comparer(.eventID(parameter: nil))
      }
    comparer.normalisation.ignored = [try KeyPathPattern("noise")]
    if form == "with noise" { comparer.normalisation = .none } else { streams.calibrate = [] }
    let expected = try whole(streams, comparer, isCalibrated: form == "with noise")
    let sides: [ShardStream] = form == "with noise" ? [.old, .new, .calibrate] : [.old, .new]
    let lines = try shardLines(streams, of: comparer, count: 9, sides).shuffled()
    expectNoDifference(try merged(lines, comparer, tasks: tasks), expected)
    #expect(expected.total.pairs > 200 && expected.total.lost > 0 && expected.old.malformed > 0)
    #expect(expected.total.differingBeforeNoise > 0 && !expected.days.counts.isEmpty)
    comparer.partitionBytes = 5_000
    comparer.threads = 3
    expectNoDifference(try merged(lines, comparer, tasks: tasks), expected)
  }

  @Test("counts the same names together as one process if there are too many")
  func manyNames() throws {
    var streams = Streams(seed: 0)
    (streams.old, streams.new, streams.calibrate) = ([], [], [])
    for number in 0..<12_500 {
      streams.old.append(#"{"eventId":"\#(number)","name":"n\#(number)","parameters":{"a":1},"time":\#(number)}"#)
      streams.new.append(
        #"{"eventId":"\#(number)","eventName":"n\#(number)","payload":{"a":\#(number % 2)},"eventTime":5}"#)
    }
    let comparer = try comparer(.eventID(parameter: nil))
    let expected = try whole(streams, comparer, isCalibrated: false)
    #expect(expected.events.count == 10_001)
    #expect(expected.event("(other events)")?.pairs == 2_500)
    #expect(expected.total.differing == 6_250)
    #expect(try merged(shardLines(streams, of: comparer, count: 3, [.old, .new]), comparer, tasks: 2) == expected)
    streams.old.reverse()
    #expect(try whole(streams, comparer, isCalibrated: false) == expected)
  }

  @Test("a line that is too long for a line stays malformed, and keys with brackets share the path of elements")
  func oddLines() throws {
    var streams = Streams(seed: 1)
    streams.old.append(
      #"{"eventId":"b","name":"odd","parameters":{"a":[1],"a[]":1}}"#)
    streams.new.append(#"{"eventId":"b","eventName":"odd","payload":{"a":[1],"a[]":2}}"#)
    streams.old.append(
      #"{"eventId":"long","name":"tap","parameters":{"a":"\#(String(repeating: "x", count: 17 << 20))"}}"#)
    let comparer = try comparer(.eventID(parameter: nil))
    let expected = try whole(streams, comparer, isCalibrated: false)
    #expect(expected.event("odd")?.fields.map(\.path) == ["a[]"])
    let merged = try merged(shardLines(streams, of: comparer, count: 3, [.old, .new]), comparer, tasks: 2)
    expectNoDifference(merged, expected)
  }

  @Test("lines may carry their numbers, as an engine that splits a file knows them")
  func numbered() throws {
    let streams = Streams(seed: 3, hasIDs: false)
    let comparer = try comparer(.order(unit: nil, window: 5))
    let written = Locked<[UInt8]>([])
    var writer = ShardWriter(count: 4, join: comparer.join, table: comparer.table, mark: "join") { bytes in
      written.withLock { $0 += bytes }
    }
    for side in [ShardStream.old, .new] {
      let lines = streams[side].enumerated().map { "\($0.offset + 1)\t\($0.element)" }
      for part in [lines[300...], lines[..<300]] {
        try writer.add(try recording(part.joined(separator: "\n")), as: side, isNumbered: true, name: "part")
      }
    }
    let lines = String(decoding: written.current, as: UTF8.self).split(separator: "\n").map(String.init)
    expectNoDifference(
      try merged(lines, comparer, tasks: 4), try whole(streams, comparer, isCalibrated: false))
    #expect(throws: ParityError.self) {
      try writer.add(try recording(streams.old[0]), as: .old, isNumbered: true, name: "part")
    }
  }

  @Test("refuses what is incomplete or does not belong together")
  func refusals() throws {
    let streams = Streams(seed: 4)
    let comparer = try comparer(.eventID(parameter: nil))
    let lines = try shardLines(streams, of: comparer, count: 2, [.old, .new])
    func refusal(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return "nothing"
    }
    #expect(
      refusal { _ = try partial(Array(lines.dropFirst()), comparer) }.contains("lines of the stream `old` arrived"))
    #expect(refusal { _ = try partial(lines, comparer, mark: "other") }.contains("other options of the join"))
    #expect(
      refusal { _ = try partial(lines + [#"{"name":"a"}"#], comparer) }.contains("not written by `parity --shards`"))
    let onlyOld = try shardLines(streams, of: comparer, count: 2, [.old])
    #expect(refusal { _ = try partial(onlyOld, comparer) }.contains("shard 0 has no end of the stream `new`"))
    let more = try shardLines(streams, of: comparer, count: 3, [.old, .new])
    #expect(refusal { _ = try partial(lines + more, comparer) }.contains("2 and 3 shards"))

    let parts = try (0..<2).map { shard in try partial(lines.filter { $0.hasPrefix("\(shard)\t") }, comparer) }
    #expect(refusal { try sum([parts[0]]) }.contains("shard 1 is missing; 1 of 2 shards were compared"))
    #expect(refusal { try sum([parts[0], parts[1], parts[0]]) }.contains("shard 0 is in two partial results"))
    #expect(refusal { try sum([]) }.contains("there is no partial result"))
    let noisy = try shardLines(streams, of: comparer, count: 2).filter { $0.hasPrefix("1\t") }
    #expect(refusal { try sum([parts[0], partial(noisy, comparer)]) }.contains("different runs"))
    let other = try comparer.compareShards(
      try reader(lines.filter { $0.hasPrefix("1\t") }.joined(separator: "\n")), comparison: "other", mark: "join")
    #expect(refusal { try sum([parts[0], other]) }.contains("different options or documents"))
    for text in ["", "{}", "[]", #"{"partial":2}"#] {
      #expect(throws: ParityError.self) { try PartialParity(Array(text.utf8)) }
    }
    #expect(refusal { try sum(parts) } == "nothing")
  }

  private func sum(_ parts: [PartialParity]) throws {
    var sum = PartialSum()
    for part in parts { try sum.add(part) }
    _ = try sum.total()
  }
}
