import DualSendCore

/// What a file of a stream was at a look, by which the next look notices that it was truncated, replaced or moved away.
package struct StreamMark: Sendable, Hashable {
  package let path: String
  /// In bytes.
  package let size: Int64
  /// The identity of the first and the last bytes.
  package let ends: String
  /// When it was last written, in milliseconds since 1970-01-01T00:00:00Z.
  package let written: Int64

  package init(path: String, size: Int64, ends: String, written: Int64) {
    (self.path, self.size, self.ends, self.written) = (path, size, ends, written)
  }
}

extension StreamMark {
  var json: EventValue {
    ["path": .string(path), "size": .int(size), "ends": .string(ends), "written": .int(written)]
  }

  /// - Returns: `nil` for anything but what ``json`` makes.
  init?(_ value: EventValue) {
    guard case .object(let members) = value, case .string(let path)? = members["path"],
      case .int(let size)? = members["size"], size >= 0, case .string(let ends)? = members["ends"],
      case .int(let written)? = members["written"]
    else { return nil }
    self.init(path: path, size: size, ends: ends, written: written)
  }
}
