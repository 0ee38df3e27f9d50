import DualSendCore
import Foundation
import Testing

@Suite("A value that JSON cannot hold", .timeLimit(.minutes(5)))
struct ConversionIssueTests {
  private struct Opaque: Sendable {}

  private func converted(_ payload: [String: Any]) -> (payload: [String: EventValue], issues: [String: Reason]) {
    var converter = EventValueConverter()
    let values = converter.convert(payload)
    let issues = converter.issues.map { ($0.path.description, $0.reason) }
    return (values, Dictionary(issues, uniquingKeysWith: { first, _ in first }))
  }

  private typealias Reason = EventValue.ConversionIssue.Reason

  @Test("costs that value alone, and is named by its key path")
  func keyPath() {
    let payload: [String: Any] = [
      "good": 1, "a.b": ["list": [1, ["deep": Opaque()], 2] as [Any], "kept": true] as [String: Any],
    ]
    let result = converted(payload)
    #expect(result.payload == ["good": 1, "a.b": ["list": [1, [:], 2], "kept": true]])
    #expect(result.issues == [#"a\.b.list[1].deep"#: .unsupportedType("Opaque")])
  }

  @Test("in an array closes up the array, and is named by its place in the original")
  func arrayElement() {
    let result = converted(["list": [1, Double.nan, 3, Opaque()] as [Any]])
    #expect(result.payload == ["list": [1, 3]])
    #expect(result.issues == ["list[1]": .nonFiniteNumber, "list[3]": .unsupportedType("Opaque")])
  }

  @Test("is a number that is not finite, of whatever type")
  func nonFinite() {
    let numbers: [Any] = [
      Double.nan, Double.infinity, -Double.infinity, Float.nan, Float.infinity, CGFloat.nan, Decimal.nan,
      NSNumber(value: Double.nan), NSNumber(value: Float.infinity), NSDecimalNumber.notANumber,
      EventValue.double(.nan),
    ]
    for number in numbers {
      #expect(converted(["n": number]).issues == ["n": .nonFiniteNumber], "\(type(of: number))")
    }
  }

  @Test("is a date in a year that RFC 3339 cannot write")
  func dates() {
    for seconds in [-62_135_596_801, 253_402_300_800, 1e300, -.infinity, .nan] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(converted(["d": date]).issues == ["d": .dateOutOfRange])
      #expect(converted(["d": EventValue.date(date)]).issues == ["d": .dateOutOfRange])
    }
    #expect(converted(["d": Date.distantPast]).issues == ["d": .dateOutOfRange])
    for seconds in [-62_135_596_800, 253_402_300_799.999] {
      #expect(converted(["d": Date(timeIntervalSince1970: seconds)]).issues.isEmpty)
    }
  }

  @Test("is a dictionary whose keys are not strings")
  func keys() {
    #expect(converted(["d": [1: "a"]]).issues == ["d": .nonStringKeys])
    #expect(converted(["d": NSDictionary(dictionary: [NSNumber(value: 1): "a"])]).issues == ["d": .nonStringKeys])
  }

  @Test("is a type without a JSON form; the record has its name and not its value")
  func unsupported() {
    #expect(converted(["v": Data([1])]).issues == ["v": .unsupportedType("Data")])
    #expect(converted(["v": (1, 2)]).issues == ["v": .unsupportedType("(Int, Int)")])
    #expect(converted(["v": Opaque?.some(Opaque()) as Any]).issues == ["v": .unsupportedType("Opaque")])
  }

  @Test("is a container beyond the depth that the reader takes; what lies above it stays")
  func depth() throws {
    let limit = EventValueConverter.maximumDepth
    func nested(_ levels: Int) -> [String: Any] {
      (1..<levels).reduce(["leaf": 1]) { inner, _ in ["k": inner] }
    }
    let deepest = converted(nested(limit))
    #expect(deepest.issues.isEmpty)
    #expect(throws: Never.self) { try JSONReader().value(EventValue.object(deepest.payload).canonicalJSON) }
    let path = Array(repeating: "k", count: limit).joined(separator: ".")
    #expect(converted(nested(limit + 1)).issues == [path: .tooDeep])
    #expect(converted(nested(2000)).issues == [path: .tooDeep])
  }

  @Test("is found inside event values too")
  func insideEventValues() {
    var converter = EventValueConverter()
    let payload: [String: EventValue] = [
      "a": [1, .double(.nan)], "b": ["c": .double(.infinity), "d": 1], "e": .double(.nan),
    ]
    let converted = converter.convert(payload)
    #expect(converted == ["a": [1], "b": ["d": 1]])
    #expect(Set(converter.issues.map(\.path.description)) == ["a[1]", "b.c", "e"])
    let deep = (0..<EventValueConverter.maximumDepth).reduce(EventValue.int(1)) { inner, _ in ["k": inner] }
    var second = EventValueConverter()
    _ = second.convert(["k": deep])
    #expect(second.issues.map(\.reason) == [.tooDeep])
  }
}
