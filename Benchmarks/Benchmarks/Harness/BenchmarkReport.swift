/// What one benchmark found: a table, and the promises that its figures are held against.
struct BenchmarkReport: Encodable {
  struct Row: Encodable {
    let name: String
    /// One for each column; `nil` where there is nothing to say.
    let values: [Double?]
  }

  /// A bound that the design sets.
  struct Promise: Encodable {
    let text: String
    let found: Double
    let isKept: Bool

    static func atMost(_ limit: Double, _ text: String, found: Double) -> Promise {
      Promise(text: text, found: found, isKept: found <= limit)
    }

    static func atLeast(_ limit: Double, _ text: String, found: Double) -> Promise {
      Promise(text: text, found: found, isKept: found >= limit)
    }
  }

  let title: String
  /// Under which circumstances the figures hold.
  let circumstances: String
  /// Each with its unit.
  let columns: [String]
  var rows: [Row] = []
  var promises: [Promise] = []

  init(_ title: String, _ circumstances: String, columns: [String]) {
    self.title = title
    self.circumstances = circumstances
    self.columns = columns
  }

  mutating func add(_ name: String, _ values: Double?...) {
    rows.append(Row(name: name, values: values))
  }

  mutating func promise(_ promise: Promise) {
    promises.append(promise)
  }
}

extension BenchmarkReport: CustomStringConvertible {
  /// The table with aligned columns, then one line a promise.
  var description: String {
    let cells = [[""] + columns] + rows.map { row in [row.name] + row.values.map(Self.text) }
    let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = ["\(title): \(circumstances)"]
    for line in cells {
      let padded = line.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - line[column].count)
        return column == 0 ? line[column] + padding : padding + line[column]
      }
      lines.append("  " + padded.joined(separator: "  "))
    }
    for promise in promises {
      lines.append("  \(promise.isKept ? "kept" : "BROKEN"): \(promise.text), found \(Self.text(promise.found))")
    }
    return lines.joined(separator: "\n")
  }

  /// Three significant digits, or all digits of the whole part.
  private static func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    if value.magnitude >= 100 || value == value.rounded() { return grouped(Int(value.rounded())) }
    let factor = value.magnitude >= 10 ? 10.0 : 100.0
    return String((value * factor).rounded() / factor)
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}

// MARK: - Benchmark

/// One question about speed or memory, and the way to its answer.
@MainActor
protocol Benchmark {
  /// What selects it on the command line.
  static var name: String { get }

  /// Whether it runs where no benchmark is named.
  static var runsByDefault: Bool { get }

  /// Measures; takes well below half a minute, unless it runs only where it is named.
  static func run() async throws -> BenchmarkReport
}

extension Benchmark {
  static var runsByDefault: Bool { true }
}

/// A benchmark whose own bookkeeping failed: its figures would mean nothing.
struct InvalidRun: Error, CustomStringConvertible {
  let description: String
}
