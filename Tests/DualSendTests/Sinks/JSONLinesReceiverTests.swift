import CustomDump
import DualSend
import DualSendCore
import DualSendTracking
import Foundation
import Testing

@Suite("A file of JSON lines as a receiver", .timeLimit(.minutes(5)))
final class JSONLinesReceiverTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("json-lines-\(UUID())")
  private var file: URL { folder.appendingPathComponent("sub/events.jsonl") }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func event(_ body: String) -> TrackingData {
    TrackingData(id: EventID(high: 1, low: 2), time: 1, name: "a", body: Array(body.utf8))
  }

  private var text: String {
    get throws { try String(contentsOf: file, encoding: .utf8) }
  }

  @Test("makes the file and its folders, readable by the owner alone, and appends a line an event")
  func appends() async throws {
    let receiver = JSONLinesReceiver(file: file)
    try await receiver.receive([event("{}"), event("[1]")])
    try await receiver.receive([event("{\"a\":1}")])
    expectNoDifference(try text, "{}\n[1]\n{\"a\":1}\n")
    let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(rights == 0o600)
  }

  @Test("closes a line that was cut off, and makes a new file where the old one was moved away")
  func tornAndMoved() async throws {
    let receiver = JSONLinesReceiver(file: file)
    try await receiver.receive([event("{}")])
    try Data("{}\n{\"cut".utf8).write(to: file)
    try await receiver.receive([event("[2]")])
    expectNoDifference(try text, "{}\n{\"cut\n[2]\n")
    try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent("moved"))
    try await receiver.receive([event("[3]")])
    expectNoDifference(try text, "[3]\n")
  }

  @Test("that cannot be written keeps the events, and says why without the folder's path")
  func unwritable() async throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let receiver = JSONLinesReceiver(file: file)
    do throws(EventReceiverFailure) {
      try await receiver.receive([event("{}")])
      Issue.record("a folder was written")
    } catch {
      #expect(error == .unavailable("cannot write events.jsonl: it is a folder"))
    }
  }
}
