import DualSendCodeGeneration
import DualSendCore
import Foundation

/// The command of the build-tool plugin: generates a source file, and reports findings like a compiler.
///
/// Unlike `dualsend generate`, it adds no package dependency to an app.
struct GeneratorCommand {
  /// The error for invalid arguments.
  struct UsageError: Error, CustomStringConvertible {
    let description = "usage: DualSendGenerator --spec FOLDER|FILE [--settings FILE] --output FILE"
  }

  private let specification: String
  private let settings: String?
  private let output: String

  init(_ arguments: [String]) throws {
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard ["--spec", "--settings", "--output"].contains(name), values[name] == nil,
        let value = rest.popFirst()
      else { throw UsageError() }
      values[name] = value
    }
    guard let specification = values["--spec"], let output = values["--output"] else { throw UsageError() }
    self.specification = specification
    self.output = output
    settings = values["--settings"]
  }

  /// Writes the code.
  func run() throws {
    let generator =
      try settings.map { try EventCodeGenerator(reading: Self.bytes($0), name: $0) } ?? EventCodeGenerator()
    let specification = try EventSpecification(contentsOf: URL(fileURLWithPath: specification))
    let code = try generator.code(for: specification)
    try Data(code.text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// A finding on one line, in the form that Xcode and editors link to its place.
  static func line(_ finding: DocumentDiagnostic) -> String {
    var line = finding.printableFile.map { $0 + ":" } ?? ""
    if let position = finding.position { line += "\(position.line):\(position.column):" }
    line += (line.isEmpty ? "" : " ") + "\(finding.severity.rawValue): \(finding.message) [\(finding.code.rawValue)]"
    return ([line] + finding.notes + [finding.help].compactMap { $0 }).joined(separator: "; ")
  }
}
