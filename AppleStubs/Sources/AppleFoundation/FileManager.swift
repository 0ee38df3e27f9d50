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
  private static let lock = NSLock()
  nonisolated(unsafe) private static var classes: [String: FileProtectionType] = [:]

  static func record(_ protection: FileProtectionType, of path: String) {
    lock.withLock { classes[path] = protection }
  }

  public static func ofItem(atPath path: String) -> FileProtectionType? {
    lock.withLock { classes[path] }
  }
}
