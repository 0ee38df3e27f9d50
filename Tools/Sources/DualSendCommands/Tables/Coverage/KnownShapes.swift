import DualSend
import DualSendCore
import DualSendJSONLines

/// Shapes of lines that were read once, so that another line of such a shape need only be counted.
struct KnownShapes {
  /// An event that stands for all of its shape.
  struct Known {
    let event: LegacyEvent
    /// How many lines of its shape came after it.
    fileprivate(set) var repeats = 0
  }

  /// How many are kept: a stream with more shapes than that is read line by line from then on.
  private static let maximumShapes = 10_000
  /// How long the lines are together that they were learned from, so that memory stays bounded.
  private static let maximumBytes = 32 << 20

  private(set) var known: [LineShape: Known] = [:]
  private var learnedBytes = 0
  /// The shape of the line that was asked for last and is not known, and the line's length.
  private var unknown: (shape: LineShape, byteCount: Int)?

  /// Counts a line if it is of a shape that is known.
  mutating func counts(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    unknown = nil
    guard let shape = LineShape(line) else { return false }
    if known[shape]?.count() != nil { return true }
    if known.count < Self.maximumShapes, learnedBytes + line.count <= Self.maximumBytes {
      unknown = (shape, line.count)
    }
    return false
  }

  /// Takes an event as that of the line that was asked for last.
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
