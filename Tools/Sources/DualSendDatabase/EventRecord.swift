import DualSendTracking
import Foundation

/// Reads a row of the event table in SQLite's record format (file format, section 2.1).
enum EventRecord {
  private enum Value {
    case null, number(Int64), bytes(Data), text(Data)
  }

  /// The undamaged events of the row; empty if the bytes are not such a row or it is damaged.
  static func events(_ record: Data, sequence: Int64) -> [TrackingData] {
    guard let values = values(of: record), values.count == 10, case .null = values[0],
      case .bytes(let idBytes) = values[1], case .number(let time) = values[2], case .number = values[3],
      case .text(let name) = values[4], case .number(let size) = values[5], case .number(let attempts) = values[6],
      case .bytes(let body) = values[7]
    else { return [] }
    let row = StoreFormat.EventRow(
      sequence: sequence, id: Data(idBytes), time: time, name: String(decoding: name, as: UTF8.self),
      attempts: attempts, body: Data(body), checksum: number(values[8]), count: number(values[9]))
    if !row.id.isEmpty, Int64(body.count) != size { return [] }
    return row.events?.filter { !$0.isDamaged } ?? []
  }

  private static func number(_ value: Value) -> Int64? {
    if case .number(let number) = value { number } else { nil }
  }

  private static func values(of record: Data) -> [Value]? {
    var types = RecordCursor(record, at: 0)
    guard let headerLength = types.varint(), headerLength > 0, headerLength <= 64 else { return nil }
    var content = RecordCursor(record, at: Int(headerLength))
    var values: [Value] = []
    while types.offset < headerLength {
      guard let type = types.varint(), let value = value(type, &content) else { return nil }
      values.append(value)
    }
    return values
  }

  private static func value(_ type: Int64, _ content: inout RecordCursor) -> Value? {
    switch type {
    case 0: return .null
    case 1...6:
      guard let bytes = content.take([1, 2, 3, 4, 6, 8][Int(type) - 1]), let first = bytes.first else { return nil }
      return .number(bytes.reduce(first < 0x80 ? 0 : -1) { $0 << 8 | Int64($1) })
    case 8, 9: return .number(type - 8)
    case 12... where type <= 1 << 31:
      return content.take(Int(type - 12) / 2).map { type.isMultiple(of: 2) ? .bytes($0) : .text($0) }
    default: return nil
    }
  }
}
