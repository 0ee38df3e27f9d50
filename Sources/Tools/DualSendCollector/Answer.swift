import DualSendCore

/// A response of the collector, with faults in its delivery.
struct Answer: Sendable {
  /// How the response is delivered.
  enum Delivery: Sendable, Hashable {
    case whole
    case after(Duration)
    /// The connection closes before the first byte.
    case nothing
    /// The connection closes in the middle of the body.
    case half
    /// With a pause before each byte of the body.
    case dripping(Duration)
  }

  var status: Int
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  var delivery = Delivery.whole

  /// A JSON response.
  static func json(_ status: Int, _ body: EventValue) -> Answer {
    Answer(status: status, headers: ["Content-Type": "application/json"], body: body.canonicalJSON)
  }

  /// The response for a fault with its own status.
  static func refusal(
    _ status: Int, _ body: EventValue = ["error": "a fault is configured"], by fault: CollectorFault,
    wallMilliseconds: Int64
  ) -> Answer {
    var answer = json(status, body)
    answer.headers.merge(fault.headers) { _, fromFault in fromFault }
    switch fault.retryAfter {
    case nil: break
    case .seconds(let seconds): answer.headers["Retry-After"] = String(seconds)
    case .date(let seconds):
      answer.headers["Date"] = IMFFixdate.text(milliseconds: wallMilliseconds)
      answer.headers["Retry-After"] = IMFFixdate.text(milliseconds: wallMilliseconds + Int64(seconds) * 1000)
    }
    return answer
  }

  /// The response, delivered as the fault requires.
  func delivered(by effect: CollectorFault.Effect) -> Answer {
    var answer = self
    answer.delivery =
      switch effect {
      case .delay(let time): .after(time)
      case .drop, .lose: .nothing
      // An empty body cannot be truncated.
      case .cut: body.isEmpty ? .nothing : .half
      case .drip(let pause): .dripping(pause)
      case .status, .reject, .poison, .limit: .whole
      }
    return answer
  }
}

/// Formats the date of HTTP responses (RFC 9110, section 5.6.7).
enum IMFFixdate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`. The time must not be before 1970.
  static func text(milliseconds: Int64) -> String {
    // 2026-01-31T23:59:59.123Z
    let words = Timestamp.text(milliseconds: milliseconds).split { "-T.".contains($0) }.map(String.init)
    // 1970-01-01 was a Thursday.
    let weekday = days[Int(milliseconds / 86_400_000 % 7)]
    let month = months[(Int(words[1]) ?? 1) - 1]
    return "\(weekday), \(words[2]) \(month) \(words[0]) \(words[3]) GMT"
  }
}
