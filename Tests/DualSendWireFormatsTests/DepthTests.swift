import CustomDump
import DualSendCore
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@testable import DualSendWireFormats

@Suite("The depth of an event", .timeLimit(.minutes(5)))
struct DepthTests {
  /// Parameters with this many nested containers, themselves included.
  private func parameters(depth: Int, isArray: Bool) -> [String: EventValue] {
    let inner = (0..<depth - 1).reduce(EventValue.int(1)) { value, _ in isArray ? [value] : ["k": value] }
    return ["k": inner, "user_id": "user-42"]
  }

  @Test("of as many levels as an event may have is carried by every format", arguments: WireFormatName.allCases)
  func every(name: WireFormatName) throws {
    for isArray in [false, true] {
      let payload = parameters(depth: EventValueConverter.maximumDepth, isArray: isArray)
      var converter = EventValueConverter()
      expectNoDifference(converter.convert(payload), payload)
      let event = TrackingData(
        TrackingEvent(id: EventID(high: 1, low: 2), time: 1, name: "a", payload: payload))
      let request = name.format(key: "k").request(for: [event], sentAt: 1)
      #expect(request.refused.isEmpty)
      #expect(throws: Never.self) { try JSONReader().value(request.body) }
    }
  }

  @Test("of one level more loses that level, which is reported", arguments: [false, true])
  func tooDeep(isArray: Bool) {
    var converter = EventValueConverter()
    _ = converter.convert(parameters(depth: EventValueConverter.maximumDepth + 1, isArray: isArray))
    expectNoDifference(converter.issues.map(\.reason), [.tooDeep])
  }
}
