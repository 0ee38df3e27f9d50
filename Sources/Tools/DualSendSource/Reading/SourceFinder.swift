import DualSendCore
import Foundation

/// Finds the Swift files at some paths, and below them.
package enum SourceFinder {
  /// Folders without the app's own sources.
  private static let foreign: Set<String> = hidden.union([
    "Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules", "Vendor", "vendor", "ThirdParty",
    "third_party",
  ])
  /// Those of them that are not worth a word.
  private static let hidden: Set<String> = [".build", ".git", ".swiftpm", "xcuserdata"]

  /// The files, each once, sorted by name; a folder stands for all Swift files below it.
  ///
  /// Links below a folder are not followed. A link that leads out of the folders, and a folder that cannot be read, are
  /// listed among the paths, so that they are reported as skipped.
  ///
  /// Test folders (`Tests`, `AppTests`) are left out: their events are not the app's, and their test doubles are not
  /// its functions. So are folders of packages and build products (`Pods`, `Vendor`). Such a folder that is itself among
  /// `paths` is read.
  ///
  /// - Parameters:
  ///   - paths: files and folders, as they were typed.
  ///   - excluded: files and folders that are left out, with everything below them.
  package static func files(_ paths: [String], excluding excluded: [String] = []) -> FoundFiles {
    var found = FoundFiles()
    let leftOut = Set(excluded.map(realPath))
    var all: Set<String> = []
    let roots = paths.map { realPath($0) + "/" }
    for path in paths {
      switch SourceFile.kind(path, follows: true) {
      case nil: found.missing.append(path)
      case .folder: all.formUnion(files(below: path, roots, leftOut, &found.leftOut))
      default:
        found.named.insert(path)
        all.insert(path)
      }
    }
    let sorted = all.sorted(by: String.byteOrder)
    found.paths = sorted.filter { !isObjectiveC($0) }
    found.objectiveC = sorted.filter(isObjectiveC)
    return found
  }

  private static func files(
    below folder: String, _ roots: [String], _ excluded: Set<String>, _ leftOut: inout [String]
  ) -> [String] {
    var found: [String] = []
    var waiting = [folder]
    while let folder = waiting.popLast() {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
        found.append(folder)
        continue
      }
      for name in names where !hidden.contains(name) {
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        if !excluded.isEmpty, excluded.contains(realPath(path)) { continue }
        switch SourceFile.kind(path, follows: false) {
        case .folder where isOfTests(name) || foreign.contains(name): leftOut.append(path)
        case .folder: waiting.append(path)
        case .link: if !isRead(path, roots) { found.append(path) }
        default: if name.hasSuffix(".swift") || isObjectiveC(name) { found.append(path) }
        }
      }
    }
    return found
  }

  /// `ABTests` has the app's own experiments.
  private static func isOfTests(_ name: String) -> Bool { name.hasSuffix("Tests") && !name.hasSuffix("ABTests") }

  /// Headers are among them, because inline functions in them may call.
  private static func isObjectiveC(_ name: String) -> Bool {
    [".m", ".mm", ".h"].contains { name.hasSuffix($0) }
  }

  /// Whether a link leads to no Swift file, or to one that is read anyway.
  private static func isRead(_ link: String, _ roots: [String]) -> Bool {
    switch SourceFile.kind(link, follows: true) {
    case nil, .other: return !link.hasSuffix(".swift")
    case .file where !link.hasSuffix(".swift"): return true
    default:
      let target = realPath(link) + "/"
      return roots.contains { root in
        target.hasPrefix(root)
          && !target.dropFirst(root.count).split(separator: "/").contains { foreign.contains(String($0)) }
      }
    }
  }

  private static func realPath(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}

/// The files found at some paths.
package struct FoundFiles: Sendable {
  /// The files, sorted by name, and folders and links that could not be read.
  package internal(set) var paths: [String] = []
  /// Files in Objective-C, sorted by name. Calls in them are found by their text.
  package internal(set) var objectiveC: [String] = []
  /// The files that were themselves arguments; symbolic links among them are followed.
  var named: Set<String> = []
  /// Folders of tests and of other people's code that were left out.
  package internal(set) var leftOut: [String] = []
  /// The arguments that do not exist.
  package internal(set) var missing: [String] = []
}

/// The files of a run, by number.
package struct SourceTexts: Sendable {
  private let files: FoundFiles
  private let read: @Sendable (Int) -> Result<String, SourceFile.Unread>

  /// Reads files on disk, which must not change in the meantime.
  package init(_ files: FoundFiles) {
    self.init(files) { SourceFile.text(files.paths[$0], follows: files.named.contains(files.paths[$0])) }
  }

  /// Texts in memory.
  package init(_ texts: [(path: String, text: String)]) {
    self.init(FoundFiles(paths: texts.map(\.path))) { .success(texts[$0].text) }
  }

  private init(_ files: FoundFiles, _ read: @escaping @Sendable (Int) -> Result<String, SourceFile.Unread>) {
    (self.files, self.read) = (files, read)
  }

  /// The names of the files, by number.
  package var paths: [String] { files.paths }

  /// Files in Objective-C, which have no number.
  var objectiveC: [String] { files.objectiveC }

  /// Folders of tests and of other people's code that were left out.
  package var leftOut: [String] { files.leftOut }

  /// A file's text; `nil` if it cannot be read, or is not UTF-8.
  package func text(_ number: Int) -> String? { try? read(number).get() }

  /// A file's text, or the reason why it cannot be read.
  func reading(_ number: Int) -> Result<String, SourceFile.Unread> { read(number) }
}
