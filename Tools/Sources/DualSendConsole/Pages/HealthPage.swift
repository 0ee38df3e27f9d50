import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendDatabase
import DualSendTracking
import Foundation

/// The page that shows trackers' databases, and the console's own figures.
struct HealthPage: Sendable {
  /// The limit of listed dead letters.
  private static let maximumLetters = 1000

  let paths: [String]
  let showsValues: Bool
  let pairs: LiveComparison

  /// Puts dead letters back into the queue.
  func retry(_ request: ConsoleRequest) throws -> EventValue {
    let isAll = try request.flag("all")
    let ids = Set(try request.texts("ids").map { $0.lowercased() })
    guard isAll || !ids.isEmpty else { throw ConsoleFailure(400, "`ids` is empty, and `all` is not true") }
    let retried = try DeadLetterQueue(try databases()).retry { isAll || ids.contains($0.event.id.description) }
    return ["retried": .int(Int64(retried))]
  }

  /// The dead letters as JSON lines.
  func export() throws -> ConsoleAnswer {
    guard showsValues else {
      throw ConsoleFailure(
        403, "exported events contain values, which are hidden", help: "start the console with --show-values")
    }
    let letters = try DeadLetterQueue(try databases()).letters { _ in true }
    let headers = [
      "Content-Type": "application/x-ndjson", "Content-Disposition": "attachment; filename=\"deadletters.jsonl\"",
    ]
    return ConsoleAnswer(headers: headers, body: letters.flatMap { Array($0.event.body) + [UInt8(ascii: "\n")] })
  }

  private func databases() throws -> [NamedDatabase] {
    guard !paths.isEmpty else {
      throw ConsoleFailure(404, "the console has no database", help: "start the console with --database")
    }
    return try paths.filter(Self.exists).flatMap { try NamedDatabase.all(at: $0) }
  }

  /// Whether the tracker has created its database, which it does at its first launch.
  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  func overview() async throws -> EventValue {
    var members: [String: EventValue] = [
      "ledger": .null, "waiting": .null, "deadLetters": [], "databases": [], "findings": [],
      "requests": await requests(), "metrics": await metrics(),
    ]
    if !paths.isEmpty {
      let databases = try databases()
      let report = try DoctorReport(databases)
      let letters = try DeadLetterQueue(databases).letters { _ in true }
      members["ledger"] = report.ledger.counts
      members["waiting"] = .int(Int64(report.waitingEvents))
      let missing = paths.filter { !Self.exists($0) }.map { path -> EventValue in
        ["name": .string(path), "summary": "the file does not exist yet"]
      }
      members["databases"] = .array(report.diagnoses.map(\.pageJSON) + missing)
      members["findings"] = PlacedDiagnostics(in: "").json(report.findings)
      members["deadLetterCount"] = .int(Int64(letters.count))
      members["deadLetters"] = .array(
        letters.prefix(Self.maximumLetters).map { letter in
          [
            "id": .string(letter.event.id.description), "name": .string(letter.event.name),
            "reason": .string(letter.reason), "time": .int(letter.event.time),
          ]
        })
    }
    return .object(members)
  }

  /// The counts of received events, by source.
  private func requests() async -> EventValue {
    guard case .array(let sources) = await pairs.sourcesJSON else { return [:] }
    var flat: [String: EventValue] = [:]
    for case .object(let source) in sources {
      guard case .string(let kind)? = source["kind"] else { continue }
      for (key, value) in source where key != "kind" { flat["\(kind) \(key)"] = value }
    }
    return .object(flat)
  }

  private func metrics() async -> EventValue {
    guard case .object(var metrics) = await pairs.holdings else { return [:] }
    if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let kilobytes = line.split(separator: " ").dropLast().last.flatMap({ Int64($0) })
    {
      metrics["memoryBytes"] = .int(kilobytes * 1024)
    }
    return .object(metrics)
  }
}

extension TrackingLedger {
  fileprivate var counts: EventValue {
    [
      "accepted": .int(Int64(accepted)), "delivered": .int(Int64(delivered)),
      "dropped": .int(Int64(dropped.values.reduce(0, +))), "deadLettered": .int(Int64(deadLettered)),
      "pending": .int(Int64(pending)), "isBalanced": .bool(isBalanced),
    ]
  }
}

extension DatabaseDiagnosis {
  fileprivate var pageJSON: EventValue {
    guard let inspection else {
      return ["name": .string(database.path), "sound": false, "summary": "too damaged to read"]
    }
    let isSound = inspection.integrityFaults.isEmpty && inspection.damagedEvents == 0 && inspection.ledger.isBalanced
    return [
      "name": .string(database.path), "pending": .int(Int64(inspection.waitingEvents)),
      "deadLetters": .int(Int64(inspection.deadLetters.values.reduce(0, +))),
      "bytes": .int(Int64(inspection.waitingBytes)), "sound": .bool(isSound),
      "summary": .string("\(inspection.ledger)"),
    ]
  }
}
