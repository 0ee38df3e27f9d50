import DualSendCore
import Foundation
import GRDB

/// The table of the sample tracker that this store grew from: `Tracking(id INTEGER PRIMARY KEY, rawData BLOB)`.
///
/// Each blob is a JSON object `{"eventId", "eventTime", "payload"}`. What can be read joins the queue, oldest first; a
/// blob that cannot be read becomes a dead letter, so that it is neither lost nor sent.
enum SampleTrackerTable {
  static let columns: Set = ["id", "rawData"]
  private static let chunk = 500

  static func takeOver(in db: Database) throws {
    let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('Tracking')")
    guard Set(columns) == Self.columns else { return }
    var generator = EventIDGenerator()
    var last: Int64 = .min
    while true {
      let rows = try Row.fetchAll(
        db, sql: "SELECT rowid, rawData FROM Tracking WHERE rowid > ? ORDER BY rowid LIMIT ?", arguments: [last, chunk])
      guard let end = rows.last else { break }
      last = end[0]
      var events: [TrackingData] = []
      var unreadable: [DeadLetter] = []
      for row in rows {
        // A number in the blob's place is no damage: the sample's table takes any value.
        let blob = (try? row.withUnsafeData(atIndex: 1) { $0.map { Array($0) } }) ?? []
        if let event = event(from: blob, generator: &generator) {
          events.append(event)
        } else {
          let id = EventID(milliseconds: 0, using: &generator)
          let letter = TrackingData(id: id, time: 0, name: "", body: blob)
          unreadable.append(DeadLetter(event: letter, reason: "a row of the sample tracker that cannot be read"))
        }
      }
      try db.insert(events, storedAt: 0)
      try db.keep(unreadable, atMost: .max)
      try db.add(rows.count, to: LedgerCounter.accepted)
      try db.add(unreadable.count, to: LedgerCounter.deadLettered)
    }
    try db.execute(sql: "DROP TABLE Tracking")
  }

  private static func event(from blob: [UInt8], generator: inout EventIDGenerator) -> TrackingData? {
    guard case .object(let members)? = try? JSONReader().value(blob), case .object(let payload)? = members["payload"]
    else { return nil }
    let time = milliseconds(members["eventTime"])
    let id = text(members["eventId"]).flatMap { EventID($0) } ?? EventID(milliseconds: time, using: &generator)
    let name = text(members["eventName"]) ?? text(payload["eventName"]) ?? text(payload["name"]) ?? "unknown"
    return TrackingData(TrackingEvent(id: id, time: time, name: name, payload: payload))
  }

  private static func text(_ value: EventValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  /// The sample's encoder decided between seconds, milliseconds and text; a number below 10¹¹ is seconds (the year 5138).
  private static let seconds: Range<Int64> = -100_000_000_000..<100_000_000_000

  private static func milliseconds(_ value: EventValue?) -> Int64 {
    switch value {
    case .int(let number): seconds.contains(number) ? number * 1000 : number
    case .double(let number):
      Int64(exactly: (number < 100_000_000_000 ? number * 1000 : number).rounded()) ?? 0
    case .string(let text): Timestamp.milliseconds(text: text) ?? 0
    default: 0
    }
  }
}
