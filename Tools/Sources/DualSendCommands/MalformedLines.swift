import DualSendCommandLine
import DualSendCore

/// The lines of a stream that are no events: how many, and the first of them by name.
struct MalformedLines: Sendable {
  private static let maximumNamed = 20

  private(set) var count = 0
  private var named: [DocumentDiagnostic] = []

  /// Takes one more into account; what is wrong with it is only asked of the first ones.
  mutating func add(_ finding: () -> DocumentDiagnostic) {
    count += 1
    if named.count < Self.maximumNamed { named.append(finding()) }
  }

  /// Takes in those that another thread found in the same stream.
  mutating func merge(_ others: MalformedLines) {
    count += others.count
    named = Array((named + others.named).sorted().prefix(Self.maximumNamed))
  }

  /// Writes which lines they are, if there are any.
  func report(on console: Console, format: OutputFormat) {
    console.report(named, format: format)
    if count > named.count { console.note("note: \((count - named.count).grouped) more lines are malformed") }
  }
}
