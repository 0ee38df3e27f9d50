import Foundation

/// Finds the Swift files that are meant by some paths.
public enum SourceFinder {
  /// Folders that hold no sources of one's own.
  private static let foreign: Set<String> = [
    ".build", ".git", ".swiftpm", "Pods", "Carthage", "DerivedData", "node_modules", "xcuserdata",
  ]

  /// The files, each once, sorted by name; a folder stands for all Swift files below it, links are not followed.
  ///
  /// - Parameter paths: files and folders, as they were typed.
  /// - Returns: the files, and those of the paths that lead nowhere.
  public static func files(_ paths: [String]) -> (found: [String], missing: [String]) {
    var found: Set<String> = []
    var missing: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        missing.append(path)
        continue
      }
      if isFolder.boolValue { found.formUnion(files(below: path)) } else { found.insert(path) }
    }
    return (found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, missing)
  }

  private static func files(below folder: String) -> [String] {
    var found: [String] = []
    guard let contents = FileManager.default.enumerator(atPath: folder) else { return [] }
    while let path = contents.nextObject() as? String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if foreign.contains(name) {
        contents.skipDescendants()
      } else if name.hasSuffix(".swift") {
        found.append(folder.hasSuffix("/") ? folder + path : folder + "/" + path)
      }
    }
    return found
  }
}
