import DualSendCore

/// What goes back to the client, and how badly.
struct Answer: Sendable {
  /// How the answer gets onto the wire.
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

  /// An answer with this body.
  static func json(_ status: Int, _ body: EventValue) -> Answer {
    Answer(status: status, headers: ["Content-Type": "application/json"], body: body.canonicalJSON)
  }

  /// The answer of a fault that has a status of its own.
  static func refusal(
    _ status: Int, _ body: EventValue = ["error": "the collector was told to answer so"], by fault: CollectorFault,
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

  /// The delivery that a fault without a status of its own gives to a right answer.
  func delivered(by effect: CollectorFault.Effect) -> Answer {
    var answer = self
    answer.delivery =
      switch effect {
      case .delay(let time): .after(time)
      case .drop, .lose: .nothing
      // Nothing of a body that is empty can be cut off.
      case .cut: body.isEmpty ? .nothing : .half
      case .drip(let pause): .dripping(pause)
      case .status, .reject, .poison, .limit: .whole
      }
    return answer
  }
}
