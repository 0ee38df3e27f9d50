import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@Suite("Converting values", .timeLimit(.minutes(5)))
struct ValueRuleTests {
  private func apply(_ rule: String, _ value: EventValue) throws -> RemappedEvent {
    try table(forEvent: #"{"parameters":{"a":{"to":"b",\#(rule)}}}"#).apply(to: "e", payload: ["a": value])
  }

  @Test(
    "a value becomes the row's type without loss",
    arguments: [
      ("string", 12, "12"), ("string", 1.5, "1.5"), ("string", 2.0, "2"), ("string", true, "true"),
      ("string", "x", "x"),
      ("int", "12", 12), ("int", "-3", -3), ("int", 4.0, 4), ("int", true, 1), ("int", "1e3", 1000), ("int", nil, nil),
      ("double", 3, 3.0), ("double", "1.25", 1.25), ("double", false, 0.0),
      ("bool", 1, true), ("bool", 0.0, false), ("bool", "TRUE", true), ("bool", "0", false),
      ("date", 1500, .date(Date(timeIntervalSince1970: 1.5))),
      ("date", "1970-01-01T00:00:01.5Z", .date(Date(timeIntervalSince1970: 1.5))),
      ("int", .date(Date(timeIntervalSince1970: 1.5)), 1500),
      ("string", .date(Date(timeIntervalSince1970: 1.5)), "1970-01-01T00:00:01.500Z"),
      ("int", .uint(.max), .uint(.max)), ("int", "18446744073709551615", .uint(.max)),
      ("string", .uint(.max), "18446744073709551615"), ("double", .int(1 << 53), .double(0x1p53)),
      ("int", .double(505_874_924_095_815_680), .int(505_874_924_095_815_700)),
      ("int", .double(0x1p63), .uint(9_223_372_036_854_776_000)),
      ("double", .int(505_874_924_095_815_700), .double(505_874_924_095_815_680)),
      ("date", -62_167_219_200_000, .date(Date(timeIntervalSince1970: -62_167_219_200))),
      ("date", 253_402_300_799_999, .date(Date(timeIntervalSince1970: 253_402_300_799.999))),
    ] as [(String, EventValue, EventValue)])
  func lossless(type: String, old: EventValue, new: EventValue) throws {
    let remapped = try apply(#""type":"\#(type)""#, old)
    #expect(remapped.payload == ["b": new])
    #expect(remapped.conversionFailures == 0 && remapped.lossyConversions == 0)
  }

  @Test(
    "a conversion that loses something is done and counted",
    arguments: [
      ("int", 1.9, 1), ("int", "-1.9", -1), ("double", .int(9_007_199_254_740_993), 9_007_199_254_740_992.0),
      ("date", 1.5, .date(Date(timeIntervalSince1970: 0.001))),
      ("double", .int(505_874_924_095_815_681), .double(505_874_924_095_815_680)),
      ("double", .uint(.max), .double(0x1p64)), ("double", "18446744073709551615", .double(0x1p64)),
      ("double", "0.1234567890123456789", .double(0.1234567890123456789)),
      ("double", "99999999999999999999", .double(1e20)), ("int", "9007199254740993.0", .int(1 << 53)),
    ] as [(String, EventValue, EventValue)])
  func lossy(type: String, old: EventValue, new: EventValue) throws {
    let remapped = try apply(#""type":"\#(type)""#, old)
    #expect(remapped.payload == ["b": new])
    #expect(remapped.lossyConversions == 1)
  }

  @Test(
    "a value that cannot be converted is kept as it was and counted",
    arguments: [
      ("int", "12 px"), ("int", ""), ("int", " 1"), ("int", 1e300), ("int", [1]), ("double", "nan"),
      ("double", "1e999"),
      ("date", 253_402_300_800_000), ("date", -62_167_219_200_001), ("date", 1e17), ("date", .uint(.max)),
      ("date", "0000-01-01T00:00:00+23:59"), ("date", "9999-12-31T23:59:59-00:01"), ("int", .double(0x1p64)),
      ("bool", 2), ("bool", "yes"), ("date", "soon"), ("date", true), ("string", ["k": 1]),
    ] as [(String, EventValue)])
  func failure(type: String, old: EventValue) throws {
    let remapped = try apply(#""type":"\#(type)""#, old)
    #expect(remapped.payload == ["b": old])
    #expect(remapped.conversionFailures == 1)
  }

  @Test("a default replaces a value that cannot be converted, which is counted all the same")
  func replaced() throws {
    let remapped = try apply(#""type":"int","default":0"#, "many")
    #expect(remapped.payload == ["b": 0])
    #expect(remapped.conversionFailures == 1)
  }

  @Test(
    "a value table matches numbers, booleans and texts by their text",
    arguments: [
      ("1", "one"), (1, "one"), (1.0, "one"), (true, "yes"), ("true", "yes"), (nil, "none"),
    ] as [(EventValue, EventValue)])
  func valueTable(old: EventValue, new: EventValue) throws {
    let remapped = try apply(#""values":{"1":"one","true":"yes","null":"none"}"#, old)
    #expect(remapped.payload == ["b": new])
  }

  @Test("a value that the table does not name is converted by the type, else kept and counted")
  func tableMiss() throws {
    #expect(try apply(#""values":{"yes":true},"type":"bool""#, "1").payload == ["b": true])
    let missed = try apply(#""values":{"yes":true}"#, "1")
    #expect(missed.payload == ["b": "1"])
    #expect(missed.conversionFailures == 1)
  }
}
