import DualSendCollector
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@testable import DualSendConsole

@Suite("How a log of events is followed", .timeLimit(.minutes(5)))
struct LogFollowerTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("old-\(UUID()).jsonl")

  private func append(_ text: String) throws {
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  private func line(_ number: Int, _ more: String = "") -> String {
    #"{"eventId":"\#(eventID(number))","name":"launch","parameters":{"uid":"u"}\#(more)}"# + "\n"
  }

  @Test("from its end, whole lines only, and what is no event is counted")
  func follows() throws {
    try append(line(1))
    var follower = LogFollower(old: file)
    #expect(follower.next().events.isEmpty)
    let second = line(2, #","unitID":null,"time":7"#)
    try append(String(second.prefix(20)))
    #expect(follower.next().events.isEmpty)
    try append(String(second.dropFirst(20)) + "nonsense\n\n" + #"{"name":"no id"}"# + "\n" + line(3))
    let lines = follower.next()
    #expect(lines.events.map(\.id) == [eventID(2), eventID(3)])
    #expect(lines.malformed.count == 2)
    #expect(
      lines.malformed.first?.hasPrefix("line 3 is not JSON") == true, "the first one, counted from the file's start")
    try append(#"{"name":"no id"}"# + "\n")
    #expect(follower.next().malformed.first == nil)
    #expect(lines.events.map { $0.unit == nil } == [false, true])
    #expect(lines.events[0].time == 7)
    try FileManager.default.removeItem(at: file)
  }

  @Test("a file that comes later, is cut, or is replaced is read from its start")
  func replaced() throws {
    var follower = LogFollower(old: file)
    #expect(follower.next().events.isEmpty)
    try append(line(1) + line(2))
    #expect(follower.next().events.count == 2)
    try Data(line(3).utf8).write(to: file, options: .atomic)
    #expect(follower.next().events.map(\.id) == [eventID(3)])
    try Data().write(to: file)
    #expect(follower.next().events.isEmpty)
    try append(line(4))
    #expect(follower.next().events.map(\.id) == [eventID(4)])
    try FileManager.default.removeItem(at: file)
  }

  @Test("the id may be a parameter, which is then no part of the payload")
  func idKey() throws {
    var follower = LogFollower(old: file, idKey: "$id")
    try append(#"{"name":"a","parameters":{"$id":"\#(eventID(5))","b":1}}"# + "\n")
    let event = try #require(follower.next().events.first)
    #expect(event.id == eventID(5))
    #expect(event.parameters == ["b": 1])
    try FileManager.default.removeItem(at: file)
  }

  @Test("a last line without a line end is read as soon as it is whole, and once")
  func unfinished() throws {
    var follower = LogFollower(old: file, isRecording: true)
    try append(line(1) + String(line(2).dropLast(2)))
    #expect(follower.next().events.map(\.id) == [eventID(1)])
    try append("}")
    #expect(follower.next().events.map(\.id) == [eventID(2)])
    try append("\n" + line(3))
    let lines = follower.next()
    #expect(lines.events.map(\.id) == [eventID(3)])
    #expect(lines.malformed.count == 0)
    try FileManager.default.removeItem(at: file)
  }

  @Test(
    "a line that is no event is named with its reason",
    arguments: [
      (#"{"parameters":{}}"#, "is not an old event: `name` is missing or not a string"),
      (#"{"name":"a"}"#, "has no event id in `eventId`; --id-key names the parameter that has it"),
      ("[]", "is not an old event: expected an object, found array"),
    ])
  func reasons(_ text: String, reason: String) throws {
    var follower = LogFollower(old: file)
    try append("\n" + text + "\n")
    #expect(follower.next().malformed.first == "line 2 \(reason)")
    try FileManager.default.removeItem(at: file)
  }

  @Test("in another tool's format, by its first line")
  func otherFormat() throws {
    let track = #"{"type":"track","event":"a","messageId":"\#(eventID(5))","userId":"u","properties":{"b":1}}"#
    var follower = LogFollower(old: file, isRecording: true, format: RecordedFormat.lines(nil, as: .legacy))
    try append(track + "\n" + #"{"type":"page","userId":"u"}"# + "\n" + #"{"batch":[\#(track),\#(track)]}"# + "\n{}\n")
    let lines = follower.next()
    #expect(lines.events.map(\.name) == ["a", "a", "a"] && lines.events.map(\.unit) == ["u", "u", "u"])
    #expect(lines.malformed.first == "line 4 cannot be read: type is missing")
    try Data(line(6).utf8).write(to: file, options: .atomic)
    #expect(follower.next().events.map(\.id) == [eventID(6)])
    try FileManager.default.removeItem(at: file)
  }

  @Test("a first line that cannot be read does not decide the format, and a bad event takes no other with it")
  func undecided() throws {
    let track = #"{"type":"track","event":"a","messageId":"\#(eventID(5))","userId":"u","properties":{"b":1}}"#
    var follower = LogFollower(old: file, isRecording: true, format: RecordedFormat.lines(nil, as: .legacy))
    try append("broken\n" + track.dropLast())
    #expect(follower.next().events.isEmpty)
    try append("}\n" + #"{"batch":[\#(track),{"type":"track","userId":"u"},\#(track)]}"# + "\n")
    let lines = follower.next()
    #expect(lines.events.map(\.name) == ["a", "a", "a"])
    #expect(lines.malformed.count == 1)
    try FileManager.default.removeItem(at: file)
  }

  @Test("a recording is read from its start")
  func recording() throws {
    try append(line(1))
    var old = LogFollower(old: file, isRecording: true)
    #expect(old.next().events.map(\.id) == [eventID(1)])
    try FileManager.default.removeItem(at: file)
    try append(#"{"eventId":"\#(eventID(2))","eventName":"a","eventTime":7,"payload":{"b":1}}"# + "\n" + line(3))
    var end = LogFollower(new: file, isRecording: false)
    #expect(end.next().events.isEmpty)
    var new = LogFollower(new: file, isRecording: true)
    let lines = new.next()
    #expect(lines.events == [TrackingEvent(id: eventID(2), time: 7, name: "a", payload: ["b": 1])])
    #expect(lines.malformed.count == 1)
    #expect(lines.malformed.first == "line 2 is not an event with `eventId`, `eventName`, `eventTime` and `payload`")
    try FileManager.default.removeItem(at: file)
  }

  @Test("reads through a link each line once, also when the link is made to lead elsewhere")
  func link() throws {
    let folder = try TemporaryFiles()
    let lines = (0..<3).map { line($0) }.joined()
    let (one, other) = (try folder.file("a-file-with-a-long-name.jsonl", lines), try folder.file("other.jsonl", lines))
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: one)
    var follower = LogFollower(old: URL(fileURLWithPath: link), isRecording: true)
    #expect((0..<4).map { _ in follower.next().events.count } == [3, 0, 0, 0])
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
    #expect((0..<2).map { _ in follower.next().events.count } == [3, 0])
    try FileManager.default.removeItem(atPath: link)
    try #require(mkfifo(link, 0o600) == 0)
    #expect(follower.next().events.isEmpty && follower.problem?.contains("it is a pipe") == true)
  }
}
