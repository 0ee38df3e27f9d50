import DualSend
import DualSendCore
import DualSendParity
import DualSendRemapping
import Foundation

/// Two streams in files of their own, removed with this object.
final class StreamFiles {
  let old: URL
  let new: URL
  private let folder: URL

  init(old: [String], new: [String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "parity-tests-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.old = folder.appending(path: "old.jsonl")
    self.new = folder.appending(path: "new.jsonl")
    try Data((old.joined(separator: "\n") + "\n").utf8).write(to: self.old)
    // Without a newline at the end: the last line counts all the same.
    try Data(new.joined(separator: "\n").utf8).write(to: self.new)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}

func compare(
  old: [String], new: [String], table: String = "{}", normalisation: Normalisation = .none,
  join: JoinRule = .eventID(parameter: nil), membership: StreamMembership = .everywhere, form: StreamForm = .wire,
  partitionBytes: Int? = nil, threads: Int = 1
) throws -> ParityReport {
  let files = try StreamFiles(old: old, new: new)
  let table = try RemappingTable(reading: #"{"formatVersion": 1, "events": \#(table)}"#.utf8)
  var comparer = ParityComparer(table: table, normalisation: normalisation, join: join)
  comparer.membership = membership
  comparer.threads = threads
  if let partitionBytes { comparer.partitionBytes = partitionBytes }
  return try comparer.compare(old: files.old, new: files.new, form: form)
}

func old(_ id: String, _ name: String, _ parameters: String = "{}") -> String {
  #"{"eventId":"\#(id)","name":"\#(name)","parameters":\#(parameters)}"#
}

func new(_ id: String, _ name: String, _ payload: String = "{}") -> String {
  #"{"eventId":"\#(id)","eventName":"\#(name)","eventTime":1,"payload":\#(payload)}"#
}

func payload(_ json: String) throws -> [String: EventValue] {
  guard case .object(let members) = try JSONReader().value(json.utf8) else { return [:] }
  return members
}

extension ParityReport {
  func event(_ name: String) -> EventParity? { events.first { $0.name == name } }
}

extension EventParity {
  func field(_ path: String) -> FieldParity? { fields.first { $0.path == path } }
}

extension ParityComparer {
  /// Compares pairs that an app observed, each expected in both streams.
  func compare(_ observations: some Sequence<ParitySampling.Pair>) -> ParityReport {
    var parity = OngoingParity(self)
    for observation in observations { parity.count(observation, in: .both) }
    return parity.report
  }
}
