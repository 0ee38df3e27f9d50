import DualSendCollector
import DualSendCommandLine
import DualSendCore
import Foundation

/// Receives events from apps: a tracker's batches, and a debug mirror's pairs.
struct AppFeed: Sendable {
  let pairs: LiveComparison
  /// The largest batch in bytes, before and after decompression.
  let maximumBatchBytes: Int
  var recording: EventRecording?

  func events(_ request: ConsoleRequest) async throws(ConsoleFailure) -> ConsoleAnswer {
    let batch: EventBatch
    do throws(RequestFault) {
      let body = try EventBatch.decoded(
        request.body, encoding: request.headers.contentEncoding, limit: maximumBatchBytes)
      batch = try EventBatch(body, limit: maximumBatchBytes)
    } catch {
      await pairs.noteRefusal(of: .collector, error.description)
      throw ConsoleFailure(error.status, error.description)
    }
    do { try await recording?.append(batch.events) } catch {
      await pairs.noteRefusal(of: .collector, "the file of --output cannot be written")
      throw ConsoleFailure(507, "the file of --output cannot be written")
    }
    let faults = batch.faults.map(\.description)
    let malformed = LiveMalformed(count: faults.count, first: faults.first)
    return Self.answer(accepted: await pairs.addNew(batch.events, malformed: malformed), faults: faults)
  }

  /// - Parameter faults: the reasons why other elements were refused.
  private static func answer(accepted: Int, faults: [String]) -> ConsoleAnswer {
    var members: [String: EventValue] = ["accepted": .int(Int64(accepted))]
    if !faults.isEmpty {
      members["malformed"] = .int(Int64(faults.count))
      members["faults"] = .array(faults.prefix(5).map { .string($0.printable(limit: PrintableText.lineLimit)) })
    }
    return .json(.object(members))
  }

  func mirror(_ request: ConsoleRequest) async throws(ConsoleFailure) -> ConsoleAnswer {
    let body: EventValue
    do throws(JSONError) { body = try JSONReader().value(request.body) } catch {
      let place = SourceText(request.body, name: nil).position(at: error.offset)
      let reason = "line \(place.line), column \(place.column) is not JSON: \(error.description)"
      await pairs.noteRefusal(of: .mirror, reason)
      throw ConsoleFailure(400, reason)
    }
    guard case .object(let members) = body, case .array(let list)? = members["pairs"] else {
      await pairs.noteRefusal(of: .mirror, "the body is not an object with `pairs`")
      throw ConsoleFailure(400, "the body is not an object with `pairs`")
    }
    var mirrored: [LiveMirrored] = []
    var faults: [String] = []
    for (index, element) in list.enumerated() {
      do throws(LiveMirrored.Fault) { mirrored.append(try LiveMirrored(element)) } catch {
        let place = "pairs[\(index)]" + (error.member.map { ".\($0)" } ?? "")
        faults.append("\(place) is missing or malformed")
      }
    }
    let malformed = LiveMalformed(count: faults.count, first: faults.first)
    return Self.answer(accepted: await pairs.addMirrored(mirrored, malformed: malformed), faults: faults)
  }
}

/// Appends the events that the console receives as a collector to a file, as JSON lines. `dualsend guard` and
/// `dualsend parity` read them.
actor EventRecording {
  private var file: JSONLinesFile

  /// - Throws: ``CommandError`` if the file cannot be written.
  init(_ path: String) throws {
    do { file = try JSONLinesFile(appendingTo: URL(fileURLWithPath: path)) } catch {
      throw CommandError(
        "cannot write \(path): \(error.localizedDescription)",
        help: "name a file in a folder that can be written, on a disk with space")
    }
  }

  /// - Throws: if the file cannot be written; the client then sends the events again.
  func append(_ events: [TrackingEvent]) throws {
    for event in events {
      var writer = CanonicalJSONWriter(capacity: 512)
      event.writeElement(to: &writer)
      try file.append(writer.bytes)
    }
    try file.flush()
  }
}
