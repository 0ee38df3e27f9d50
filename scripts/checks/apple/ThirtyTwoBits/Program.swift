// Runs files of cases in the form of Fixtures/conformance.

import DualSendCore

@_extern(c) private func print_line(_ text: UnsafePointer<CChar>)

func print(_ line: String) {
  line.withCString { print_line($0) }
}

nonisolated(unsafe) private var counts: [String: Int] = [:]
nonisolated(unsafe) private var failures = 0

/// Runs the cases of one file, and prints those that fail.
@_cdecl("run_cases")
public func runCases(_ file: UnsafePointer<CChar>, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
  let file = String(cString: file)
  func fail(_ text: String) {
    failures += 1
    print("\(file): \(text)")
  }
  let value: EventValue
  do throws(JSONError) {
    value = try JSONReader().value(UnsafeBufferPointer(start: bytes, count: count))
  } catch {
    return fail(error.description)
  }
  guard case .object(var shared) = value, case .string(let kind)? = shared.removeValue(forKey: "kind"),
    case .array(let cases)? = shared.removeValue(forKey: "cases")
  else { return fail("expected `kind` and `cases`") }
  for (index, value) in cases.enumerated() {
    guard case .object(var question) = value, case .object(var expected)? = question.removeValue(forKey: "expect")
    else {
      fail("case \(index + 1) has no `expect`")
      continue
    }
    for (key, member) in shared where question[key] == nil { question[key] = member }
    for (key, member) in defaults(kind) where expected[key] == nil { expected[key] = member }
    // Printed before the answer, because a wrong one may trap.
    print("? \(file) case \(index + 1) \(EventValue.object(question).canonicalText)")
    let example = ConformanceCase(
      id: "\(file)/\(index + 1)", kind: .reading, question: question, answer: expected)
    for answer in answers(to: question, kind) {
      for difference in example.differences(from: answer) { fail("case \(index + 1): \(difference)") }
    }
    counts[kind, default: 0] += 1
  }
}

/// Prints how many cases of each kind ran. The exit status.
@_cdecl("report_cases")
public func reportCases() -> Int32 {
  for (kind, count) in counts.inOrder(by: { $0.key < $1.key }) { print("= \(kind) \(count)") }
  return failures == 0 && Int.bitWidth == 32 ? 0 : 1
}

/// The members of an answer that a case need not expect; see `Fixtures/conformance/README.md`.
private func defaults(_ kind: String) -> [String: EventValue] {
  switch kind {
  case "decision": ["sinks": [:]]
  case "remapping": ["clashes": 0, "conversionFailures": 0, "lossyConversions": 0, "unmapped": []]
  default: [:]
  }
}
