// What the compiled files of DualSendCore use of Swift that Embedded Swift does not have. Compiled into that module.

/// Stands for `Any` as the type of a plain value.
public enum PlainValue {
  case int(Int)
  case int64(Int64)
  case other

  init(_ number: Int) { self = .int(number) }
  init(_ number: Int64) { self = .int64(number) }
  init(_ value: PlainValue) { self = value }
  init<Value>(_ value: Value) { self = .other }
}

infix operator ??? : NilCoalescingPrecedence

/// Stands for `??` between types that only `Any` has in common.
func ??? (number: Int?, other: Int64) -> PlainValue {
  number.map { .int($0) } ?? .int64(other)
}

/// The two clocks.
public struct TimeSource: Sendable {
  public let wallMilliseconds: @Sendable () -> Int64
  public let uptime: @Sendable () -> Duration

  public init(wallMilliseconds: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Duration) {
    self.wallMilliseconds = wallMilliseconds
    self.uptime = uptime
  }
}

/// A response whose only field is `Retry-After`.
public struct HTTPTransportResponse {
  private let retryAfter: String

  public init(retryAfter: String) {
    self.retryAfter = retryAfter
  }

  func header(_ name: String) -> String? {
    name == "Retry-After" ? retryAfter : nil
  }
}

extension Substring {
  func firstRange(of text: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
  }
}

extension String.UnicodeScalarView {
  /// Escapes commands to a CI system, which no case has.
  mutating func replace(_ scalars: String.UnicodeScalarView, with others: String.UnicodeScalarView) {}
}

// MARK: - Compression

/// A value without a lock: the program has one thread.
public final class Locked<Value: Sendable>: Sendable {
  private nonisolated(unsafe) var value: Value

  public init(_ value: Value) {
    self.value = value
  }

  public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    body(&value)
  }
}

public enum Zlib {
  public enum Failure: Error, Hashable {
    case corrupt
    case outOfMemory
  }
}

/// Bytes that are not compressed.
public struct DeflateSegment: Sendable, Equatable {
  public let bytes: [UInt8]
  public let length: Int
  public let crc32: UInt32
  public let adler32: UInt32

  public init(bytes: [UInt8], length: Int, crc32: UInt32, adler32: UInt32) {
    self.bytes = bytes
    self.length = length
    self.crc32 = crc32
    self.adler32 = adler32
  }

  public func decompressed() throws(Zlib.Failure) -> [UInt8] {
    guard bytes.count == length else { throw .corrupt }
    return bytes
  }

  public struct Compressor: ~Copyable {
    public init?(longest: Int) {}

    public func segment(_ plain: [UInt8]) -> DeflateSegment? {
      DeflateSegment(bytes: plain, length: plain.count, crc32: 0, adler32: 0)
    }
  }
}
