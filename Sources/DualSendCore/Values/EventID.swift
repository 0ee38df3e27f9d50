/// A version 7 UUID (RFC 9562, section 5.7): 48 bits of milliseconds, then random bits.
///
/// Ids of one tracker sort by time, and within a millisecond by their creation (RFC 9562, section 6.2, method 2).
public struct EventID: Sendable, Hashable {
  /// The first eight bytes, big-endian: time, version, 12 random bits.
  public let high: UInt64
  /// The last eight bytes, big-endian: variant, 62 random bits.
  public let low: UInt64

  /// Creates an id from its bytes.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a version 7 id.
  ///
  /// - Parameters:
  ///   - milliseconds: time since 1970-01-01T00:00:00Z; the low 48 bits are used.
  ///   - generator: the source of the 74 random bits.
  package init(milliseconds: Int64, using generator: inout some RandomNumberGenerator) {
    let time = UInt64(bitPattern: milliseconds) << 16
    high = time | 0x7000 | (generator.next() & 0x0FFF)
    low = 0x8000_0000_0000_0000 | (generator.next() >> 2)
  }

  /// Creates a version 7 id. In the millisecond of the generator's last id it is higher than that.
  package init(milliseconds: Int64, using generator: inout EventIDGenerator) {
    self = generator.id(milliseconds: milliseconds)
  }

  /// Reads the 36-character text form of any UUID, upper or lower case; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let id = text.withUTF8({ EventID(utf8: $0) }) else { return nil }
    self = id
  }

  /// Reads the text form from its bytes.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 36 else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for index in 0..<36 {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard bytes[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = hexDigit(bytes[index]) else { return nil }
      if index < 18 { words.high = words.high << 4 | digit } else { words.low = words.low << 4 | digit }
    }
    self.init(high: words.high, low: words.low)
  }
}

extension EventID: CustomStringConvertible, Comparable {
  /// The 36-character lower-case text form.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textLength) { writeText(to: $0) }
  }

  /// Orders by the bytes, which is by time for version 7.
  public static func < (left: EventID, right: EventID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  /// Appends the text to JSON.
  func appendText(to writer: inout CanonicalJSONWriter) {
    writer.append(atMost: Self.textLength) { writeText(to: $0) }
  }

  private static let textLength = 36

  /// - Returns: the number of the text's bytes.
  private func writeText(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var end = 0
    for position in 0..<32 {
      if position == 8 || position == 12 || position == 16 || position == 20 {
        text[end] = UInt8(ascii: "-")
        end += 1
      }
      let word = position < 16 ? high : low
      text[end] = lowerHexDigit(UInt8(word >> UInt64(60 - 4 * (position & 15)) & 15))
      end += 1
    }
    return end
  }
}

/// A random generator for event ids (xoshiro256**, Blackman and Vigna 2018), seeded from the system.
///
/// Not cryptographic: ids must be unlikely to collide, and need not be hard to guess. The system's generator costs a
/// system call per word on Linux.
package struct EventIDGenerator: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)
  private var last: EventID?

  /// Creates a generator with a random seed.
  package init() {
    var system = SystemRandomNumberGenerator()
    state = (system.next() | 1, system.next(), system.next(), system.next())
  }

  /// A version 7 id. In the millisecond of the last one, the 74 random bits are those of the last one, increased by a random
  /// number of up to 2^32.
  mutating func id(milliseconds: Int64) -> EventID {
    let time = UInt64(bitPattern: milliseconds) << 16
    var id = EventID(high: time | 0x7000 | (next() & 0x0FFF), low: 0x8000_0000_0000_0000 | next() >> 2)
    if let last, last.high & ~0xFFFF == time {
      let low = (last.low & Self.lowBits) + (next() >> 32) + 1
      let high = last.high + (low > Self.lowBits ? 1 : 0)
      // Where the bits are used up, the id is random: another one, out of order.
      if high & 0xF000 == 0x7000 { id = EventID(high: high, low: last.low & ~Self.lowBits | low & Self.lowBits) }
    }
    last = id
    return id
  }

  private static let lowBits: UInt64 = 1 << 62 - 1

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    let result = rotate(state.1 &* 5, 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotate(state.3, 45)
    return result
  }

  private func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }
}

/// The digit of a number below 16.
func lowerHexDigit(_ number: UInt8) -> UInt8 {
  number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") - 10 + number
}

func hexDigit(_ byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
