@testable import DualSendCore

/// JSON that may break every rule of a format, and one of JSON itself: a key may stand twice.
indirect enum EditableJSON {
  case scalar(String)
  case array([EditableJSON])
  case object([(key: String, value: EditableJSON)])

  init(_ node: JSONNode) {
    switch node.content {
    case .null, .bool, .string: self = .scalar(node.eventValue.canonicalText)
    case .number(let number): self = .scalar(number.text)
    case .array(let elements): self = .array(elements.map(EditableJSON.init))
    case .object(let members): self = .object(members.map { ($0.key, EditableJSON($0.value)) })
    }
  }

  var bytes: [UInt8] { Array(text.utf8) }

  var text: String {
    switch self {
    case .scalar(let text): text
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { EventValue.string($0.key).canonicalText + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  /// How many values there are, containers included.
  var count: Int {
    switch self {
    case .scalar: 1
    case .array(let elements): 1 + elements.reduce(0) { $0 + $1.count }
    case .object(let members): 1 + members.reduce(0) { $0 + $1.value.count }
    }
  }
}

extension EditableJSON {
  /// Breaks something: one value anywhere is deleted, doubled, renamed, moved, replaced, multiplied or wrapped.
  mutating func edit(using random: inout some RandomNumberGenerator) {
    var position = Int.random(in: 0..<count, using: &random)
    let donor = value(at: Int.random(in: 0..<count, using: &random))
    change(at: &position) { $0.editHere(donor: donor, using: &random) }
  }

  private func value(at position: Int) -> EditableJSON {
    var position = position
    var found = self
    var copy = self
    copy.change(at: &position) { found = $0 }
    return found
  }

  /// Calls the body with the value at a position, counted in the order of the text.
  private mutating func change(at position: inout Int, _ body: (inout EditableJSON) -> Void) {
    if position == 0 { body(&self) }
    position -= 1
    guard position >= 0 else { return }
    switch self {
    case .scalar: break
    case .array(var elements):
      for index in elements.indices where position >= 0 { elements[index].change(at: &position, body) }
      self = .array(elements)
    case .object(var members):
      for index in members.indices where position >= 0 { members[index].value.change(at: &position, body) }
      self = .object(members)
    }
  }

  private mutating func editHere(donor: EditableJSON, using random: inout some RandomNumberGenerator) {
    switch self {
    case .object(var members) where !members.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
      let index = Int.random(in: members.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: members.remove(at: index)
      case 1: members.insert(members[index], at: Int.random(in: 0...members.count, using: &random))
      case 2: members[index].key += ["s", "", "*", ".", "\u{301}", "[]"].randomElement(using: &random) ?? ""
      case 3: members[index].key = JSONWords.keys.randomElement(using: &random) ?? ""
      case 4: members.append((JSONWords.keys.randomElement(using: &random) ?? "", donor))
      default: members.shuffle(using: &random)
      }
      self = .object(members)
    case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
      let index = Int.random(in: elements.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(donor, at: index)
      case 2: elements += repeatElement(elements[index], count: 1 << Int.random(in: 0...6, using: &random))
      default: elements.shuffle(using: &random)
      }
      self = .array(elements)
    default:
      switch Int.random(in: 0..<4, using: &random) {
      case 0: self = donor
      case 1: self = .array([self])
      case 2: self = .object([(JSONWords.keys.randomElement(using: &random) ?? "", self)])
      default: self = .scalar(JSONWords.scalars.randomElement(using: &random) ?? "null")
      }
    }
  }
}

// MARK: - JSONWords

/// Words that the formats know, and values at the edges of what they allow.
enum JSONWords {
  static let keys = [
    // Rollout documents.
    "formatVersion", "revision", "salt", "shouldSendLogToOldLogger", "shouldSendLogToNewTracker", "allowNeither",
    "missingUnit", "rules", "match", "events", "appVersion", "platform", "locale", "country", "attributes", "unitIDs",
    "schedule", "from",
    "percentage", "sinks", "old", "new", "amplitude", "console",
    // Remapping tables.
    "*", "parameters", "name", "add", "unmapped", "clash", "to", "type", "values", "default", "a.b", "a[]", "a[].b",
    "a[][]", "a\\.b", "",
    // Events, answers, reports.
    "eventId", "eventName", "eventTime", "payload", "time", "unitID", "rejected", "reason", "preset", "ignore",
    "maximumParameters", "maximumNameLength", "maximumStringLength", "booleans", "illegalNames", "join", "window",
    "country", "\u{e9}", "e\u{301}",
  ]

  static let scalars = [
    "null", "true", "false", "0", "-0", "1", "-1", "100", "100.0001", "0.001", "99.999", "1e2", "1e-3", "0e999999999",
    "1e308", "5e-324", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "1000000000000000000000", "0.1e-4294967297", "\"\"", "\"*\"", "\"home.*\"", "\"h*\"", "\"home.tap\"", "\"iOS\"",
    "\">=25.4.10 <26\"", "\">0\"", "\"<0\"", "\"==18446744073709551615.18446744073709551615\"", "\">1.0.0.1 <1.0.0.2\"",
    "\"old\"", "\"new\"", "\"both\"", "\"keep\"", "\"drop\"", "\"report\"", "\"int\"", "\"double\"", "\"string\"",
    "\"bool\"", "\"date\"", "\"mapped\"", "\"payload\"", "\"firebase\"", "\"2026-12-01T00:00:00Z\"",
    "2", "{\"new\":{\"amplitude\":25}}", "{\"new\":{\"amplitude\":100},\"old\":{\"console\":10}}",
    "\"0000-01-01T00:00:00+23:59\"", "\"9999-12-31T23:59:60.999-23:59\"", "\"unit-1\"", "\"\\u0000\"",
    "\"\\ud83d\\ude00\"", "\"e\\u0301\"", "[]", "{}", "{\"schedule\":[]}",
    "{\"schedule\":[{\"from\":\"2026-12-01T00:00:00Z\",\"percentage\":5}]}", "\"a.b\"", "\"a[].b\"", "\"a\\\\.b\"",
  ]
}
