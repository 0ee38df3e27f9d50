import DualSend
import DualSendCommandLine
import DualSendCore

/// The shapes of lines that were parsed before. Another line of a known shape is only counted.
struct KnownShapes {
  /// An event that represents its shape.
  struct Known {
    let event: LegacyEvent
    /// The number of later lines with the shape.
    fileprivate(set) var repeats = 0
  }

  /// The limit of shapes. Lines of further shapes are parsed one by one.
  private static let maximumShapes = 10_000
  /// The limit of the total length of represented lines, which bounds memory.
  private static let maximumBytes = 32 << 20

  private(set) var known: [LineShape: Known] = [:]
  private var learnedBytes = 0
  /// The shape and length of the last line, if the shape is unknown.
  private var unknown: (shape: LineShape, byteCount: Int)?

  /// Counts a line if its shape is known.
  mutating func counts(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    unknown = nil
    guard let shape = LineShape(line) else { return false }
    if known[shape]?.count() != nil { return true }
    if known.count < Self.maximumShapes, learnedBytes + line.count <= Self.maximumBytes {
      unknown = (shape, line.count)
    }
    return false
  }

  /// Makes the event of the last line represent its shape.
  mutating func learn(_ event: LegacyEvent) {
    guard let (shape, byteCount) = unknown else { return }
    known[shape] = Known(event: event)
    learnedBytes += byteCount
  }
}

extension KnownShapes.Known {
  fileprivate mutating func count() {
    repeats += 1
  }
}
