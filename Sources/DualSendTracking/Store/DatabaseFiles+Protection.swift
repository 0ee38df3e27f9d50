#if canImport(Darwin)
  import Foundation

  extension DatabaseFiles {
    /// Excludes a database from backups, and keeps it readable in the background after the first unlock.
    ///
    /// Best effort: errors are ignored, because a volume without these attributes can still hold events.
    static func protect(_ file: URL) {
      for path in (DatabaseAccess.suffixes + ["-reserve", ".lock"]).map({ file.path + $0 })
      where FileManager.default.fileExists(atPath: path) {
        var url = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        #if !os(macOS)
          allowAfterFirstUnlock(path)
        #endif
      }
    }

    #if !os(macOS)
      /// Keeps the files that are created in a folder readable in the background after the first unlock. Best effort.
      ///
      /// A new file gets the protection class of its folder. With the class `complete`, a locked device refuses to create
      /// the file, so it is too late to give it another class afterwards.
      static func protectFolder(_ folder: URL) {
        allowAfterFirstUnlock(folder.path)
      }

      private static func allowAfterFirstUnlock(_ path: String) {
        try? FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
      }
    #endif
  }
#endif
