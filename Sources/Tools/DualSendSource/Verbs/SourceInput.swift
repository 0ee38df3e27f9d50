import ArgumentParser
import DualSendCommandLine
import DualSendCore
import Foundation

/// The sources that a verb reads, and the logging functions in them.
struct SourceInput: ParsableArguments {
  @ArgumentParser.Argument(
    help: ArgumentHelp("Swift files, and folders with all Swift files below them.", valueName: "path"))
  var paths: [String]
  @Option(help: ArgumentHelp("The team's own logging functions.", valueName: "calls.json"))
  var calls: String?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A file or folder to leave out, such as test doubles; may be repeated. Folders of tests are left out by themselves.",
      valueName: "path"))
  var exclude: [String] = []
  @Option(help: "The number of threads (default: one for each processor).")
  var threads: Int?

  init() {}

  func validate() throws {
    if let threads, !(1...64).contains(threads) { throw ValidationError("--threads is a number from 1 to 64") }
  }

  /// The logging functions: the built-in ones and those of `--calls`.
  func functions() throws -> [LoggingFunction] {
    guard let calls else { return LoggingFunction.known }
    return try LoggingFunction.functions(reading: InputFile.bytes(calls), name: calls) + LoggingFunction.known
  }

  private static let namedFolders = 8

  /// The files, which are read when needed. Names the folders that are left out, those of tests last.
  func texts(on terminal: Terminal) throws -> SourceTexts {
    let found = SourceFinder.files(paths, excluding: exclude)
    if let first = found.missing.first {
      throw CommandError("cannot read \(first): there is no such file", help: "check the path")
    }
    if !found.leftOut.isEmpty {
      let folders = found.leftOut.sorted { ($0.hasSuffix("Tests") ? 1 : 0, $0) < ($1.hasSuffix("Tests") ? 1 : 0, $1) }
      let rest = folders.count - Self.namedFolders
      terminal.note(
        "note: left out \(folders.count.counted("folder")) of tests or others' code; name one to read it: "
          + folders.prefix(Self.namedFolders).joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : ""))
    }
    guard !found.paths.isEmpty else {
      throw CommandError("no Swift file in \(paths.joined(separator: ", "))", help: "name a folder with sources")
    }
    return SourceTexts(found)
  }

  var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// Reads the files and shows the progress.
  func inventory(
    of texts: SourceTexts, on terminal: Terminal, functions: [LoggingFunction]
  ) -> SourceInventory {
    let line = Locked(ProgressLine(terminal))
    let inventory = SourceInventory(texts, functions: functions, threads: threadCount) { number in
      line.withLock { $0.show("reading \((number + 1).grouped) of \(texts.paths.count.grouped) files") }
    }
    line.withLock { $0.clear() }
    return inventory
  }
}

extension SourceInventory {
  /// The skipped files, as findings.
  var findings: [DocumentDiagnostic] {
    skipped.map { one in
      DocumentDiagnostic(
        .warning, .notSwift, "\(one.reason); the file was passed over", file: one.file,
        position: one.line.map { DocumentDiagnostic.Position(line: $0, column: 1) },
        help: "nothing in it was counted: correct it, or leave it out")
    }
  }
}

extension DocumentDiagnostic.Code {
  /// A file is not Swift.
  static let notSwift = DocumentDiagnostic.Code(rawValue: "DS1301")
}
