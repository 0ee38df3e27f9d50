extension FileManager {
  // https://developer.apple.com/documentation/foundation/filemanager/setattributes(_:ofitematpath:)
  //
  // swift-corelibs-foundation has it and drops the protection class; this one keeps it for tests.
  public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
    guard let protection = attributes[.protectionKey] as? FileProtectionType else {
      return try setAttributesOfLinux(attributes, ofItemAtPath: path)
    }
    FileProtections.record(protection, of: path)
  }
}

/// The protection classes that were asked for, by path.
public enum FileProtections {
  /// A protection class, and what a folder held when it got the class.
  public struct Record: Sendable {
    public let protection: FileProtectionType
    public let contents: [String]
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var records: [String: Record] = [:]

  static func record(_ protection: FileProtectionType, of path: String) {
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    lock.withLock { records[path] = Record(protection: protection, contents: contents) }
  }

  public static func ofItem(atPath path: String) -> Record? {
    lock.withLock { records[path] }
  }

  /// Those of files that were then renamed, by what their paths began with.
  public static func ofItems(withPrefix prefix: String) -> [Record] {
    lock.withLock { records.filter { $0.key.hasPrefix(prefix) }.map(\.value) }
  }
}
