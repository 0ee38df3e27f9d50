#if canImport(Darwin)
  import Foundation

  extension DatabaseFiles {
    /// Excludes a database from backups, and keeps it readable in the background after the first unlock.
    ///
    /// Best effort: errors are ignored, because a volume without these attributes can still hold events.
    static func protect(_ file: URL) {
      for path in (PrivateFiles.suffixes + ["-reserve"]).map({ file.path + $0 })
      where FileManager.default.fileExists(atPath: path) {
        var url = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        #if !os(macOS)
          try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
        #endif
      }
    }
  }
#endif
