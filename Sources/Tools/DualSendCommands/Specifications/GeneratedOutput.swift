import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore
import Foundation

/// Generated code and its files on disk: one file, or a folder with one file per event.
struct GeneratedOutput {
  /// The change that a file needs.
  enum Change: String {
    case create, update, remove
  }

  private let path: String
  private let isFolder: Bool
  /// The files' paths and contents.
  private let files: [(path: String, text: String)]

  /// - Parameter path: a file; or a folder, if it exists or the path ends in a slash.
  init(_ code: GeneratedCode, to path: String) {
    self.path = path
    isFolder = path.hasSuffix("/") || EventSpecification.isFolder(URL(fileURLWithPath: path))
    let prefix = path.hasSuffix("/") ? path : path + "/"
    files = isFolder ? code.files.map { (prefix + $0.name, $0.text) } : [(path, code.text)]
  }

  var count: Int { files.count }

  /// The differences, by path. A file in the folder that has the generator's mark but no event is removed.
  func changes() throws -> [(path: String, change: Change)] {
    var changes: [(path: String, change: Change)] = try files.compactMap { file in
      guard FileManager.default.fileExists(atPath: file.path) else { return (file.path, .create) }
      return try InputFile.exactBytes(file.path) == Array(file.text.utf8) ? nil : (file.path, .update)
    }
    changes += try orphans().map { ($0, .remove) }
    return changes.sorted { String.byteOrder($0.path, $1.path) }
  }

  /// Updates the files on disk. Leaves up-to-date files untouched.
  func write() throws -> [(path: String, change: Change)] {
    if isFolder { try InputFile.makeFolder(path) }
    let changes = try changes()
    for (path, change) in changes {
      if change == .remove {
        try InputFile.remove(path)
      } else if let file = files.first(where: { $0.path == path }) {
        try InputFile.replace(path, with: Array(file.text.utf8))
      }
    }
    return changes
  }

  private func orphans() throws -> [String] {
    guard isFolder, FileManager.default.fileExists(atPath: path) else { return [] }
    let wanted = Set(files.map(\.path))
    let prefix = path.hasSuffix("/") ? path : path + "/"
    return try InputFile.inFolder(path) { try FileManager.default.contentsOfDirectory(atPath: path) }
      .filter { $0.hasSuffix(".swift") }.map { prefix + $0 }
      .filter { try !wanted.contains($0) && InputFile.exactBytes($0).starts(with: GeneratedCode.mark.utf8) }
  }
}

extension GeneratedOutput.Change {
  /// The finding of a run with `--check`.
  func finding(_ path: String) -> DocumentDiagnostic {
    let message =
      switch self {
      case .create: "the generated file is missing"
      case .update: "the file differs from the generated code"
      case .remove: "the generated file has no event any more"
      }
    return DocumentDiagnostic(
      .error, .outdatedCode, message, file: path, help: "run `dualsend generate` without --check")
  }
}
