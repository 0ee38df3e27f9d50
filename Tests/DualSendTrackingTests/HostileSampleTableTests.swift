import CustomDump
import DualSendCore
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

/// What the sample tracker's table may hold that the sample never meant to write.
@Suite("A hostile table of the sample tracker", .timeLimit(.minutes(10)))
struct HostileSampleTableTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Takes over a table.
  ///
  /// - Parameters:
  ///   - columns: as in `CREATE TABLE`.
  ///   - rows: as in `VALUES`.
  private func takeOver(_ rows: String, columns: String) throws -> SQLiteTrackingDataStore {
    let file = folder.file("\(UUID()).sqlite")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE Tracking(\(columns)); INSERT INTO Tracking VALUES \(rows)")
    }
    try queue.close()
    return try SQLiteTrackingDataStore(file: file)
  }

  private static let columns = "id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB"

  @Test("may have ids of any kind: every row is counted once")
  func ids() throws {
    let store = try takeOver(
      "(0.5, '{}'), (NULL, NULL), ('x', x'00'), (x'ff', 1), (-1, 2.5), (9223372036854775807, '[]')",
      columns: "id, rawData")
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 6, deadLettered: 6))
  }

  @Test("may number its rows up to the ends of all numbers: they are taken over in order")
  func edges() throws {
    let rows = [Int64.max, 0, -9_223_372_036_854_775_807].map { id in
      "(\(id), '{\"payload\":{\"name\":\"\(id)\"}}')"
    }
    let store = try takeOver(rows.joined(separator: ", "), columns: Self.columns)
    let names = try store.batch(maximumEvents: 10, maximumBytes: .max).map(\.name)
    expectNoDifference(names, ["-9223372036854775807", "0", "9223372036854775807"])
  }

  @Test(
    "may hold what is no event: it becomes a dead letter, neither lost nor sent",
    arguments: [
      "NULL", "''", "x'ff00'", "7", "'null'", "'[]'", "'{\"payload\":[]}'", "'{\"payload\":{\"a\":1}'",
      "'{\"payload\":{\"a\":1,\"a\":2}}'", "'{\"payload\":{\"a\":1e999}}'",
    ])
  func unreadable(value: String) throws {
    let store = try takeOver("(1, \(value)), (2, '{\"payload\":{\"name\":\"good\"}}')", columns: Self.columns)
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 2, deadLettered: 1, pending: 1))
    expectNoDifference(try store.batch(maximumEvents: 10, maximumBytes: .max).map(\.name), ["good"])
    expectNoDifference(try store.deadLetters().count, 1)
  }

  @Test(
    "may name members of wrong types: the event goes, without them",
    arguments: [#""eventId":7"#, #""eventId":"""#, #""eventTime":"noon""#, #""eventTime":[]"#, #""eventName":null"#])
  func wrongTypes(member: String) throws {
    let store = try takeOver("(1, '{\(member),\"payload\":{\"name\":\"a\"}}')", columns: Self.columns)
    expectNoDifference(try store.batch(maximumEvents: 10, maximumBytes: .max).map(\.name), ["a"])
  }

  @Test(
    "may give any number as a time",
    arguments: ["-9223372036854775808", "9223372036854775807", "-1e308", "1e308", "-1"])
  func times(time: String) throws {
    let store = try takeOver("(1, '{\"eventTime\":\(time),\"payload\":{\"name\":\"a\"}}')", columns: Self.columns)
    expectNoDifference(try store.batch(maximumEvents: 10, maximumBytes: .max).map(\.name), ["a"])
  }
}
