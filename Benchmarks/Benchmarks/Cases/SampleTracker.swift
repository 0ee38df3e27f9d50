import DualSend
import DualSendHTTPClient
import Foundation

#if canImport(GRDBSQLite)
  import GRDBSQLite
#else
  import SQLite3
#endif

/// A baseline: the way that trackers are commonly written. A task for each call, `JSONSerialization`, one row in a
/// statement and transaction of its own, 50 events a request, each deleted by itself.
actor SampleTracker {
  struct Delivery {
    let rate: Double
    let cpuMicroseconds: Double
  }

  private static let batch: Int32 = 50

  private let transport = SystemTransport.make()
  private let endpoint: URL
  private var connection: OpaquePointer?

  private init(_ file: URL, endpoint: URL) throws {
    self.endpoint = endpoint
    guard sqlite3_open(file.path, &connection) == SQLITE_OK else { throw InvalidRun(description: "no database") }
    sqlite3_exec(
      connection, "PRAGMA journal_mode = WAL; CREATE TABLE event(id INTEGER PRIMARY KEY, body TEXT NOT NULL)", nil, nil,
      nil)
  }

  isolated deinit {
    sqlite3_close(connection)
  }

  /// From the calls to everything delivered and deleted, over HTTP on loopback, the collector in a process of its own.
  @MainActor
  static func delivery(of events: Int) async throws -> Delivery {
    let folder = try TemporaryFolder()
    let collector = try CollectorProcess()
    let tracker = try SampleTracker(folder.file("sample.sqlite"), endpoint: collector.url)
    let cpuBefore = ProcessUsage.cpuSeconds
    let seconds = try await Measure.seconds {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<events {
          let parameters = Workload.parameters(number)
          group.addTask { await tracker.log(Workload.eventName, parameters) }
        }
      }
      while try await tracker.sendNext() {}
    }
    let cpu = ProcessUsage.cpuSeconds - cpuBefore
    let collected = collector.finish()
    guard collected == events else { throw InvalidRun(description: "the sample's collector has \(collected ?? 0)") }
    return Delivery(rate: Double(events) / seconds, cpuMicroseconds: cpu / Double(events) * 1e6)
  }

  private func log(_ name: String, _ parameters: [String: any Sendable]) {
    let event: [String: Any] = [
      "eventId": UUID().uuidString.lowercased(), "eventName": name,
      "eventTime": Int(Date().timeIntervalSince1970 * 1000), "payload": parameters,
    ]
    guard let body = try? JSONSerialization.data(withJSONObject: event) else { return }
    statement("INSERT INTO event(body) VALUES(?)") { insertion in
      sqlite3_bind_text(
        insertion, 1, String(decoding: body, as: UTF8.self), -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      sqlite3_step(insertion)
    }
  }

  /// Returns whether there was anything to send.
  private func sendNext() async throws -> Bool {
    var rows: [(id: Int64, event: Any)] = []
    statement("SELECT id, body FROM event ORDER BY id LIMIT ?") { selection in
      sqlite3_bind_int(selection, 1, Self.batch)
      while sqlite3_step(selection) == SQLITE_ROW {
        guard let text = sqlite3_column_text(selection, 1),
          let event = try? JSONSerialization.jsonObject(with: Data(String(cString: text).utf8))
        else { continue }
        rows.append((sqlite3_column_int64(selection, 0), event))
      }
    }
    guard !rows.isEmpty else { return false }
    let body = try JSONSerialization.data(withJSONObject: rows.map(\.event))
    let request = HTTPTransportRequest(
      method: "POST", url: endpoint, headers: ["Content-Type": "application/json"], body: [UInt8](body),
      timeout: .seconds(10))
    let response = try await transport.send(request)
    guard (200..<300).contains(response.status) else { throw InvalidRun(description: "answered \(response.status)") }
    for row in rows {
      statement("DELETE FROM event WHERE id = ?") { deletion in
        sqlite3_bind_int64(deletion, 1, row.id)
        sqlite3_step(deletion)
      }
    }
    return true
  }

  private func statement(_ sql: String, _ body: (OpaquePointer) -> Void) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else { return }
    body(prepared)
    sqlite3_finalize(prepared)
  }
}
