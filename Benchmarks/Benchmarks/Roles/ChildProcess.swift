import Foundation

/// This executable once more, in a role of its own, so that its memory and its time are not the benchmark's.
///
/// A child says what it has to say in lines of text on its standard output, and ends when its standard input does.
final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ role: Role, _ arguments: [String] = []) throws {
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--role", role.rawValue] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The next line, once it is there; `nil` when the child has ended.
  func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = output.fileHandleForReading.readData(ofLength: 1).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  /// Asks the child to end and returns the last line that it says.
  func finish() -> String? {
    try? input.fileHandleForWriting.close()
    var last: String?
    while let line = readLine() { last = line }
    return last
  }
}

/// What a child process does.
enum Role: String {
  case collector
  case drain
  case battery
  case backlog
  case launch
  case rest
}
