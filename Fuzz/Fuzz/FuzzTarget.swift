import CLibFuzzer
import DualSendTables
import DualSendWireFormats
import Foundation

@testable import DualSend
@testable import DualSendCore
@testable import DualSendDatabase
@testable import DualSendParity
@testable import DualSendRemapping
@testable import DualSendRollout
@testable import DualSendTracking

/// A reader of outside bytes under attack.
///
/// A target ends the process where a promise is broken (`precondition`): that is how libFuzzer learns of it.
struct FuzzTarget: Sendable {
  /// What the command line calls it.
  let name: String
  /// Which parts of an input are JSON, so that they are edited as JSON half of the time.
  let mutation: FuzzMutation
  /// Feeds one input.
  let attack: @Sendable (FuzzInput) -> Void

  static let all: [FuzzTarget] = [.json, .rollout, .remapping, .answer, .store, .streams, .sheet, .sources]

  static func named(_ name: String) -> FuzzTarget? {
    all.first { $0.name == name }
  }

  /// The one that this process runs: libFuzzer calls back into plain functions.
  nonisolated(unsafe) fileprivate static var current: FuzzTarget?

  /// Hands the process over to libFuzzer; returns when it is done.
  func run(arguments: [String]) {
    Self.current = self
    var count = Int32(arguments.count)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let status = pointers.withUnsafeMutableBufferPointer { buffer in
      var arguments = buffer.baseAddress
      return withUnsafeMutablePointer(to: &arguments) { slot in
        slot.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.self, capacity: 1) { slot in
          LLVMFuzzerRunDriver(&count, slot) { data, size in
            FuzzTarget.current?.attack(FuzzInput(UnsafeBufferPointer(start: data, count: size)))
            return 0
          }
        }
      }
    }
    exit(status)
  }
}

/// libFuzzer looks this function up by its name.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximumSize: Int, _ seed: UInt32
) -> Int {
  guard let mutation = FuzzTarget.current?.mutation else { return LLVMFuzzerMutate(data, size, maximumSize) }
  return mutation.apply(to: data, size, maximumSize: maximumSize, seed: seed)
}

// MARK: - Remapping

extension FuzzTarget {
  /// Remapping tables: one that is accepted applies to any payload.
  ///
  /// The first part is the table, the second an event `{"name", "parameters"}`; whatever is JSON serves as a payload.
  static let remapping = FuzzTarget(name: "remapping", mutation: .json) { input in
    let table: RemappingTable
    do throws(DocumentError) { table = try RemappingTable(reading: input.part(0), name: "input") } catch {
      precondition(error.diagnostics.contains { $0.severity == .error }, "refused without an error")
      _ = error.description
      return
    }
    _ = table.warnings.map(\.description) + table.inversionObstacles.map(\.description)
    let inverse = table.inverted()
    precondition((inverse != nil) == table.isInvertible, "an inverse without the claim, or the other way round")
    let payloads = [input.part(1), input.part(0)].compactMap { try? JSONReader().value($0) }.map(payload)
    for payload in payloads + [[:]] {
      for name in table.rules.keys.sorted().prefix(20) + ["home.like_button.tap", "unheard of"] {
        let remapped = table.apply(to: name, payload: payload)
        let (traced, _) = table.trace(name, payload: payload)
        precondition(remapped == traced, "a trace changes the result")
        _ = EventValue.object(remapped.payload).canonicalJSON
        _ = inverse?.apply(to: remapped.name, payload: remapped.payload)
      }
    }
  }

  private static func payload(_ value: EventValue) -> [String: EventValue] {
    guard case .object(let members) = value else { return ["value": value] }
    if case .object(let parameters)? = members["parameters"] { return parameters }
    return members
  }
}

// MARK: - Streams

extension FuzzTarget {
  /// TrackingEvent streams and what compares them.
  ///
  /// The first part is an old stream, the second a new one, the third a normalisation file, the fourth a report.
  static let streams = FuzzTarget(name: "streams", mutation: .json) { input in
    for line in input.part(0).split(separator: UInt8(ascii: "\n")) {
      guard let event = try? LegacyEvent(reading: line) else { continue }
      _ = event.parameters.mapValues(\.plainValue)
    }
    if let report = try? ParityReport(input.part(3), name: "report") { render(report) }
    let normalisation = (try? Normalisation(input.part(2), name: "normalisation")) ?? .none
    let folder = ScratchFolder.emptied()
    let (old, new) = (folder.appendingPathComponent("old.jsonl"), folder.appendingPathComponent("new.jsonl"))
    guard (try? Data(input.part(0)).write(to: old)) != nil, (try? Data(input.part(1)).write(to: new)) != nil else {
      return
    }
    for join in [JoinRule.eventID(parameter: nil), .order(unit: nil, window: 1000)] {
      let comparer = ParityComparer(table: RemappingTable(), normalisation: normalisation, join: join)
      if let report = try? comparer.compare(old: old, new: new) { render(report) }
      if let report = try? comparer.compare(old: old, new: new, form: .legacy) { render(report) }
    }
  }

  private static func render(_ report: ParityReport) {
    let judgement = ParityGate(limit: .perMille).judgement(on: report)
    let written = report.json(judgement)
    guard let again = try? ParityReport(written.canonicalJSON) else {
      preconditionFailure("a report cannot read what it wrote")
    }
    precondition(again.json(judgement) == written, "a report reads back as another")
    _ = (report.text(judgement), report.markdown(judgement), report.html(judgement))
  }
}

// MARK: - Store

extension FuzzTarget {
  /// Databases that hold anything: whatever stands in a row or in a file, the store answers or throws.
  ///
  /// The first byte chooses what is hostile: the values of rows, the blobs of the sample tracker's table, or any bytes of
  /// the database and its WAL; and whether the file is the tracker's own or a leftover that it adopts.
  static let store = FuzzTarget(name: "store", mutation: .bytes) { input in
    guard let choice = input.bytes.first else { return }
    // As a row with a valid checksum.
    if let run = input.bytes.dropFirst().withUnsafeBytes({ EventRun(blob: $0) }) {
      for event in run.events(last: 200) { _ = event.body }
    }
    let folder = ScratchFolder.emptied()
    let main = folder.appendingPathComponent("events.sqlite")
    let file = choice & 8 == 0 ? main : folder.appendingPathComponent("events-2.sqlite")
    var cursor = ByteCursor(Array(input.bytes.dropFirst()))
    do {
      switch choice & 3 {
      case 0: try HostileDatabase.writeRows(&cursor, to: file)
      case 1: try HostileDatabase.writeSampleTable(&cursor, to: file)
      default: try HostileDatabase.writeDamaged(&cursor, to: file)
      }
    } catch {
      return
    }
    _ = try? StoreInspection(file)
    _ = try? StoreSalvage(of: file) { _ in }
    let quota = TrackerConfiguration.Quota(events: 3, bytes: 1 << 20, age: .seconds(1), deadLetters: 2)
    guard let store = try? TrackerConfiguration.StoreLocation.file(main).open(quota: quota, time: .system) else {
      return
    }
    work(on: store)
    _ = try? StoreInspection(main)
  }

  private static func work(on store: any TrackingDataStore) {
    _ = (try? store.ledger())?.description
    _ = try? store.waitingSequences()
    _ = try? store.waitingIDs()
    _ = try? store.note("delivery.notBefore")
    let letters = (try? store.deadLetters()) ?? []
    if let batch = try? store.batch(maximumEvents: 2, maximumBytes: 1 << 10) {
      try? store.recordFailedAttempt(batch)
      try? store.resolve(
        delivered: Array(batch.prefix(1)), deadLettered: batch.dropFirst().map { DeadLetter(event: $0, reason: "no") })
    }
    _ = try? store.retryDeadLetters()
    let event = TrackingData(
      TrackingEvent(id: EventID(high: 1, low: letters.isEmpty ? 1 : 2), time: 0, name: "a", payload: [:]))
    _ = try? store.append([event, event], dropped: [.tooLarge: 1], inFlight: nil)
    _ = try? store.deleteAll(reason: .purged)
    _ = (try? store.ledger())?.description
  }
}

// MARK: - Answer

extension FuzzTarget {
  /// What servers answer: status, `Retry-After`, `Date`, signature, and a body that may be compressed.
  static let answer = FuzzTarget(name: "answer", mutation: .json) { input in
    let statuses = [200, 207, 400, 401, 408, 413, 422, 429, 503]
    let body = input.part(3)
    let response = HTTPTransportResponse(
      status: Int(input.text(0)) ?? statuses[input.part(0).count % statuses.count],
      headers: ["Retry-After": input.text(1), "Date": input.text(2)], body: body)
    for format in formats(key: input.text(2)) { read(response, format, input.part(3)) }
    for text in [input.text(1), input.text(2)] {
      if let time = HTTPDate.milliseconds(text) { _ = Timestamp.text(milliseconds: time) }
      if let id = EventID(text) { precondition(id.description == text.lowercased(), "an id reads back as another") }
      _ = RolloutSignature(base64: text)
      _ = RolloutPublicKey(base64: text)
    }
    inflate(input.bytes)
    if input.parts.count > 3 { inflate(Array(input.bytes.dropFirst(input.bytes.count - body.count))) }
  }

  private static func formats(key: String) -> [any WireFormat] {
    [
      .dualSend, SampleTrackerFormat(), SegmentFormat(writeKey: key), AmplitudeFormat(apiKey: key),
      PostHogFormat(apiKey: key), OTLPLogsFormat(serviceName: key), CloudEventsFormat(source: key),
    ]
  }

  /// What a format makes of an answer, and of an event whose body is anything.
  private static func read(_ response: HTTPTransportResponse, _ format: any WireFormat, _ body: [UInt8]) {
    let client = TrackingNetworkClient(
      endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/"), format: format), transport: NoTransport(),
      time: .system)
    let event = TrackingData(id: EventID(high: 1, low: 2), time: 3, name: "a", body: body)
    switch client.answer(response, to: [event, event]) {
    case .delivered(let rejected, _): precondition(rejected.count <= max(1, body.count / 36), "more ids than there are")
    case .rejected(let rejected): precondition(rejected.count <= 1, "events that were not sent")
    case .retry(_, let delay):
      precondition(delay.map { (.zero...RetryAfter.cap).contains($0) } ?? true, "a wait beyond the cap")
    case .tooLarge, .invalid, .refused: break
    }
    let request = format.request(for: [event], sentAt: 0)
    precondition(request.eventCount == 1, "an event is neither sent nor refused")
    if let payload = try? JSONReader().value(event.payloadJSON) {
      precondition(payload == .object(event.payload), "the payload's bytes are not its values")
    }
  }

  private struct NoTransport: HTTPTransport {
    func send(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      throw .timedOut
    }
  }

  private static func inflate(_ bytes: [UInt8]) {
    for limit in [0, 1000, 1 << 20] {
      guard let result = try? Zlib.decompress(bytes, limit: limit) else { continue }
      precondition(result.count <= limit, "more than the limit")
    }
    for format in [Zlib.Format.deflate, .gzip] {
      guard let compressed = Zlib.compress(bytes, as: format) else { continue }
      precondition((try? Zlib.decompress(compressed, limit: bytes.count)) == bytes, "compression loses something")
    }
  }
}

// MARK: - Scratch folder

/// One folder for the files of one input; `scripts/check fuzz` puts `TMPDIR` where writing is cheap and deletes it in the end.
enum ScratchFolder {
  private static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("fuzz-\(ProcessInfo.processInfo.processIdentifier)")

  /// The folder, without what the input before left in it.
  static func emptied() -> URL {
    try? FileManager.default.removeItem(at: folder)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
