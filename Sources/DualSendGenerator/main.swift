import DualSendCore
import Foundation

func report(_ lines: [String]) {
  FileHandle.standardError.write(Data(lines.map { $0 + "\n" }.joined().utf8))
}

do {
  try GeneratorCommand(Array(CommandLine.arguments.dropFirst())).run()
} catch let error as DocumentError {
  report(error.diagnostics.map(GeneratorCommand.line))
  exit(1)
} catch {
  report(["error: " + "\(error)".printable(limit: PrintableText.lineLimit)])
  exit(2)
}
