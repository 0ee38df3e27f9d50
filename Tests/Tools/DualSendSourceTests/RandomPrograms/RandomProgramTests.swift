import Foundation
import Testing

/// The programs themselves: what an inventory says of them is held against `KnownCall` elsewhere.
struct RandomProgramTests {
  @Test func aSeedMakesTheSameProgramEachTime() {
    let (first, second) = (RandomProgram(seed: 11), RandomProgram(seed: 11))
    #expect(first.files.map(\.text) == second.files.map(\.text))
    #expect(first.calls == second.calls)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func everyKnownCallStandsOnALineThatCalls(seed: UInt64) {
    let program = RandomProgram(seed: seed)
    for call in program.calls {
      let lines = program.files.first { $0.name == call.file }?.text.components(separatedBy: "\n") ?? []
      #expect(lines.indices.contains(call.line - 1) && lines[call.line - 1].contains("("))
      #expect(call.isOpen == call.variants.isEmpty)
    }
    #expect(program.calls.contains { $0.isOpen } && program.calls.contains { !$0.isOpen })
  }

  /// The truth held against the compiler's: takes some seconds for each program, so that only
  /// `DUALSEND_RANDOM_PROGRAMS=20` runs it.
  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["DUALSEND_RANDOM_PROGRAMS"].flatMap(UInt64.init) ?? 0))
  func aProgramSendsWhatIsKnownOfIt(seed: UInt64) throws {
    let program = RandomProgram(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("random-program-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in program.files + program.hidden {
      try file.text.write(to: folder.appendingPathComponent(file.name), atomically: true, encoding: .utf8)
    }

    var sent: [Int: Set<ProgramEvent>] = [:]
    for condition in ["PLAIN", SiteWriter.condition] {
      let binary = folder.appendingPathComponent("run-\(condition)").path
      let sources = (program.files + program.hidden).map { folder.appendingPathComponent($0.name).path }
      let arguments = ["swiftc", "-swift-version", "5", "-suppress-warnings", "-D", condition, "-o", binary]
      _ = try output(of: arguments + sources)
      sent.merge(RunnableProgram.sent(try output(of: [binary]))) { $0.union($1) }
    }
    for (function, events) in program.sent {
      #expect(sent[function, default: []] == events, "function \(function) of seed \(seed)")
    }
  }

  private func output(of command: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(command[0]) failed")
    return String(decoding: output, as: UTF8.self)
  }
}
