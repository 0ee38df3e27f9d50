import DualSendCommandLine
import DualSendConformance
import DualSendCore

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
