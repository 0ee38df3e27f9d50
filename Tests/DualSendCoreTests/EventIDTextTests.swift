import DualSendCore
import Testing

@Suite("An event id's text", .timeLimit(.minutes(5)))
struct EventIDTextTests {
  @Test(
    "is read in either case and written in lower case",
    arguments: ["018bcfe5-6800-7abc-8def-0123456789ab", "018BCFE5-6800-7ABC-8DEF-0123456789AB"])
  func reads(_ text: String) throws {
    #expect(try #require(EventID(text)).description == "018bcfe5-6800-7abc-8def-0123456789ab")
  }

  @Test(
    "is refused when it is anything but 32 digits and four hyphens",
    arguments: [
      "", "018bcfe5", "018bcfe5-6800-7abc-8def-0123456789a", "018bcfe5-6800-7abc-8def-0123456789abc",
      "018bcfe568-00-7abc-8def-0123456789ab", "018bcfe5-6800-7abc-8def-0123456789ag",
      "018bcfe5-6800-7abc-8def_0123456789ab", "{18bcfe5-6800-7abc-8def-0123456789ab",
      "０18bcfe5-6800-7abc-8def-0123456789",
    ])
  func refuses(_ text: String) {
    #expect(EventID(text) == nil)
  }
}
