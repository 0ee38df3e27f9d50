package import Foundation

/// The folder of what the package keeps for the running app.
package enum AppFolder {
  /// `DualSend/<app>` in Application Support. On tvOS in Caches, because an app may write nowhere else there.
  ///
  /// Application Support is not an app's own everywhere: on Linux and on macOS without a sandbox, all programs of a user share
  /// it. The app is therefore part of the path: its bundle identifier, else the name of its executable.
  package static var url: URL {
    #if os(tvOS)
      let place = FileManager.SearchPathDirectory.cachesDirectory
    #else
      let place = FileManager.SearchPathDirectory.applicationSupportDirectory
    #endif
    let parent =
      FileManager.default.urls(for: place, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    let executable = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "")
    let name = name(bundleIdentifier: Bundle.main.bundleIdentifier, executable: executable.lastPathComponent)
    return parent.appendingPathComponent("DualSend").appendingPathComponent(name)
  }

  /// The part of the folder for what belongs to another party than the app; `nil` for the app.
  package static func url(of party: String?) -> URL {
    guard let party else { return url }
    return url.appendingPathComponent("parties/" + name(bundleIdentifier: party, executable: "party"))
  }

  /// Whether this process runs unit tests or shows a preview. What they decide must not become a decision of the app's user.
  package static var isOfTestsOrPreview: Bool {
    let environment = ProcessInfo.processInfo.environment
    return ["XCTestConfigurationFilePath", "XCTestBundlePath"].contains { environment[$0] != nil }
      || environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
      || CommandLine.arguments.first.map { $0.hasSuffix("xctest") || $0.hasSuffix("swiftpm-testing-helper") } ?? false
  }

  /// The name of an app's folder: letters, digits, `.`, `-` and `_`; other characters become `_`.
  package static func name(bundleIdentifier: String?, executable: String) -> String {
    let name = bundleIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? executable
    let safe = name.unicodeScalars.map { scalar in
      let isSafe = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isSafe || [".", "-", "_"].contains(scalar) ? Character(scalar) : "_"
    }
    let text = String(safe)
    // No name that leads out of the folder.
    return text.allSatisfy({ $0 == "." }) ? "app" : text
  }
}
