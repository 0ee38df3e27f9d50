import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore
import Foundation

/// Generated code against what lies on disk: one file, or a folder with one file an event.
struct GeneratedOutput {
  /// What a file needs so that the disk holds what is generated.
  enum Change: String {
    case create, update, remove
  }

  private let path: String
  private let isFolder: Bool
  /// What every file should hold, by its path.
  private let files: [(path: String, text: String)]

  /// - Parameter path: a file; a folder if one stands there, or with a stroke at its end.
  init(_ code: GeneratedCode, to path: String) {
    self.path = path
    isFolder = path.hasSuffix("/") || EventSpecification.isFolder(URL(fileURLWithPath: path))
    let prefix = path.hasSuffix("/") ? path : path + "/"
    files = isFolder ? code.files.map { (prefix + $0.name, $0.text) } : [(path, code.text)]
  }

  var count: Int { files.count }

  /// What differs, by path. A file of the folder that bears the generator's mark, and that no event has any more, goes.
  func changes() throws -> [(path: String, change: Change)] {
    var changes: [(path: String, change: Change)] = try files.compactMap { file in
      guard FileManager.default.fileExists(atPath: file.path) else { return (file.path, .create) }
      return try InputFile.exactBytes(file.path) == Array(file.text.utf8) ? nil : (file.path, .update)
    }
    changes += try orphans().map { ($0, .remove) }
    return changes.sorted { String.byteOrder($0.path, $1.path) }
  }

  /// Makes the disk hold what is generated; what is right already stays untouched.
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
  /// The finding of a run that only looks.
  func finding(_ path: String) -> DocumentDiagnostic {
    let message =
      switch self {
      case .create: "the generated file is missing"
      case .update: "the file is not what is generated today"
      case .remove: "the file was generated, and no event has it any more"
      }
    return DocumentDiagnostic(
      .error, .outdatedCode, message, file: path, help: "run `dualsend generate` without --check")
  }
}
