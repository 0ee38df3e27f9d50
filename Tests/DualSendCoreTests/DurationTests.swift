import DualSendCore
import Testing

@Suite("A duration", .timeLimit(.minutes(5)))
struct DurationTests {
  @Test(
    "has whole milliseconds, within Int64",
    arguments: [
      (.zero, 0), (.milliseconds(1500), 1500), (.microseconds(999), 0), (.nanoseconds(1_999_999), 1),
      (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ] as [(Duration, Int64)])
  func milliseconds(_ duration: Duration, _ expected: Int64) {
    #expect(duration.inMilliseconds == expected)
  }

  @Test("has seconds", arguments: [(Duration.milliseconds(1500), 1.5), (.zero, 0), (.milliseconds(-250), -0.25)])
  func seconds(_ duration: Duration, _ expected: Double) {
    #expect(duration.inSeconds == expected)
  }
}
