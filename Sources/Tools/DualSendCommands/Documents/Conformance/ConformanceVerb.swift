import ArgumentParser
import DualSendCommandLine
import DualSendConformance
import DualSendCore
import Foundation

/// `dualsend conformance`: the conformance suite against any program.
struct ConformanceVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Run the conformance suite against any program that answers a line of JSON for each line it reads.",
    usage: "dualsend conformance <suite> --command <command> [--timeout <seconds>] [--format <format>]",
    discussion: """
      The suite is the folder Fixtures/conformance of DualSend, whose README describes questions and answers. For \
      each case the program gets one line, and has to write and flush one line. A program may answer {"id": …, "skipped": "why"}; such cases are counted and are not wrong.

      Exit status 1 if an answer is wrong or missing.
      """.examples(
        "dualsend conformance Fixtures/conformance \\\n      --command 'python3 Fixtures/conformance/evaluator.py'")
  )

  @Argument(help: ArgumentHelp("The folder of the suite.", valueName: "suite"))
  var suite: String
  @Option(help: ArgumentHelp("The program, as a shell reads it.", valueName: "command"))
  var command: String
  @Option(help: ArgumentHelp("How long to wait for each answer.", valueName: "seconds"))
  var timeout: Double = 10
  @OptionGroup var output: FormatOption

  func validate() throws {
    guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout is above 0 and at most 3600 seconds") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let suite = try ConformanceSuite(URL(fileURLWithPath: suite))
    let running = Task.detached { [command, timeout] in
      try Self.report(suite, command, timeout: .seconds(timeout))
    }
    let signals = Task {
      let signal = await Interruption.wait()
      if signal != nil { running.cancel() }
      return signal
    }
    defer { signals.cancel() }
    let report = try await running.value
    if running.isCancelled { return await signals.value == SIGTERM ? .terminated : .interrupted }
    if format == .json { terminal.result(report.json) } else { terminal.result(report.text) }
    return report.faults.isEmpty ? .clean : .findings
  }

  /// Asks every question, until the program does not answer one.
  private static func report(
    _ suite: ConformanceSuite, _ command: String, timeout: Duration
  ) throws -> ConformanceReport {
    // A program that has ended must not end this one.
    let formerHandler = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, formerHandler) }
    let evaluator = try EvaluatorProcess(command, timeout: timeout)
    defer { evaluator.end() }
    var report = ConformanceReport()
    for example in suite.cases where !Task.isCancelled {
      do {
        report.add(try evaluator.answer(to: example.line), to: example)
      } catch {
        if report.answered == 0, case .ended(let status) = error {
          throw CommandError("`\(command)` ended with status \(status) before it answered")
        }
        report.add([error.words + "; the questions after this one were not asked"], to: example)
        return report
      }
    }
    return report
  }
}

extension EvaluatorProcess.Silence {
  fileprivate var words: String {
    switch self {
    case .timeout: "no answer in time"
    case .ended(let status): "the program ended with status \(status)"
    case .endlessLine: "the answer is longer than 1 MB"
    }
  }
}

// MARK: - Conformance report

/// How a program's answers compare with those of the conformance suite.
struct ConformanceReport {
  /// An answer that is wrong, or missing.
  struct Fault: Equatable {
    let id: String
    let differences: [String]
  }

  private static let maximumFaults = 100

  private(set) var faults: [Fault] = []
  private(set) var answered = 0
  private var counts: [ConformanceCase.Kind: (right: Int, wrong: Int, skipped: Int)] = [:]
  private var cases = 0

  /// Takes one line of the program.
  mutating func add(_ line: [UInt8], to example: ConformanceCase) {
    answered += 1
    guard case .object(let members)? = try? JSONReader().value(line) else {
      return add(["the answer is not a JSON object"], to: example)
    }
    guard members["id"] == .string(example.id) else {
      return add(["the answer does not have the question's `id`"], to: example)
    }
    if members["skipped"] != nil {
      cases += 1
      counts[example.kind, default: (0, 0, 0)].skipped += 1
    } else if case .object(let answer)? = members["answer"] {
      add(example.differences(from: answer), to: example)
    } else {
      add(["the answer has neither `answer`, an object, nor `skipped`"], to: example)
    }
  }

  /// Takes what is wrong with one answer; nothing if it is right.
  mutating func add(_ differences: [String], to example: ConformanceCase) {
    cases += 1
    guard !differences.isEmpty else { return counts[example.kind, default: (0, 0, 0)].right += 1 }
    counts[example.kind, default: (0, 0, 0)].wrong += 1
    faults.append(Fault(id: example.id, differences: differences))
  }

  var text: String {
    var lines = faults.prefix(Self.maximumFaults).flatMap { fault in
      fault.differences.map { "\(fault.id): \($0)" }
    }
    if faults.count > Self.maximumFaults { lines.append("and \(faults.count - Self.maximumFaults) more cases") }
    var table = TextTable([.words("kind"), .numbers("right"), .numbers("wrong"), .numbers("skipped")])
    for kind in ConformanceCase.Kind.allCases {
      guard let count = counts[kind] else { continue }
      table.addRow([kind.rawValue] + [count.right, count.wrong, count.skipped].map(\.grouped))
    }
    let total = faults.isEmpty ? "no case differs" : "\(faults.count.counted("case")) of \(cases.grouped) wrong"
    return (lines + [table.text + total]).joined(separator: "\n")
  }

  var json: EventValue {
    let kinds = counts.map { kind, count in
      (
        kind.rawValue,
        [
          "right": .int(Int64(count.right)), "wrong": .int(Int64(count.wrong)), "skipped": .int(Int64(count.skipped)),
        ] as EventValue
      )
    }
    return [
      "cases": .int(Int64(cases)), "kinds": .object(Dictionary(kinds) { first, _ in first }),
      "wrong": .array(
        faults.map { ["id": .string($0.id), "differences": .array($0.differences.map { .string($0) })] }),
    ]
  }
}

// MARK: - Evaluator process

/// A program that reads a question a line and answers a line, in a process of its own.
///
/// Blocks while it waits for an answer, at most for the given time, and ends the program when it is done.
final class EvaluatorProcess {
  /// Why there is no answer to a question.
  enum Silence: Error {
    /// The time for one answer is over.
    case timeout
    /// The program closed its output.
    case ended(status: Int32)
    /// The line is longer than any answer.
    case endlessLine
  }

  private static let maximumLine = 1 << 20

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let timeout: Duration
  private var buffer: [UInt8] = []

  /// Starts a program by a shell.
  init(_ command: String, timeout: Duration) throws {
    self.timeout = timeout
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { end() }

  /// Sends a question and waits for the answer's line.
  func answer(to question: String) throws(Silence) -> [UInt8] {
    // Where the program has ended, the next read says so.
    try? input.fileHandleForWriting.write(contentsOf: Data((question + "\n").utf8))
    let deadline = ContinuousClock.now + timeout
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return Array(buffer[..<end])
      }
      guard buffer.count < Self.maximumLine else { throw .endlessLine }
      buffer += try piece(until: deadline)
    }
  }

  private func piece(until deadline: ContinuousClock.Instant) throws(Silence) -> [UInt8] {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0 else { throw .timeout }
      let ready = poll(&wanted, 1, Int32(min(left.rounded(.up), 60_000)))
      if ready < 0, errno != EINTR { throw .ended(status: exitStatus) }
      guard ready > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .ended(status: exitStatus) }
      return Array(bytes[..<count])
    }
  }

  private var exitStatus: Int32 {
    end()
    return process.terminationStatus
  }

  /// Closes the program's input and waits a moment; a program that still runs is killed, and what it started with it.
  func end() {
    try? input.fileHandleForWriting.close()
    let deadline = ContinuousClock.now + .seconds(1)
    while process.isRunning, ContinuousClock.now < deadline { usleep(5_000) }
    guard process.isRunning else { return }
    let id = process.processIdentifier
    _ = kill(getpgid(id) == id ? -id : id, SIGKILL)
    process.waitUntilExit()
  }
}
