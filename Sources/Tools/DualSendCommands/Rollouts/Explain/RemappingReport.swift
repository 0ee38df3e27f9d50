import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendTables

/// The remapping of one event's values, as `dualsend explain --remap` shows it.
///
/// The only report that shows values: those given on the command line.
struct RemappingReport {
  private let payload: [String: EventValue]
  private let remapped: RemappedEvent
  private let trace: RemappingTrace
  private let isReversible: Bool
  private let inexactNumbers: Int

  /// - Parameter inexactNumbers: the count of numbers in the payload that lost digits.
  init(of table: RemappingTable, event: String, payload: [String: EventValue], inexactNumbers: Int = 0) {
    self.inexactNumbers = inexactNumbers
    self.payload = payload
    (remapped, trace) = table.trace(event, payload: payload)
    isReversible = table.isReversible(event, payload: payload)
  }

  /// One row per value: before, after, and the conversion.
  var text: String {
    var table = TextTable([.words("before"), .words("after"), .words("how")])
    table.addRow([trace.oldName, trace.newName, trace.oldName == trace.newName ? "" : "event renamed"])
    table.addRule()
    for input in trace.inputs {
      table.addRow([Self.cell(input.path, payload), after(input), input.destination.words])
    }
    for output in trace.outputs {
      guard let words = output.origin.addition else { continue }
      table.addRow(["", Self.cell(output.path, remapped.payload), words])
    }
    return table.text + summary + "\n"
  }

  private func after(_ input: RemappingTrace.Input) -> String {
    switch input.destination {
    case .moved(let path, _): Self.cell(path, remapped.payload)
    case .kept: Self.cell(input.path, remapped.payload)
    case .dropped, .droppedUnmapped, .yielded, .lost: ""
    }
  }

  private static func cell(_ path: EventPath, _ payload: [String: EventValue]) -> String {
    "\(path) = " + (EventValue.object(payload).value(at: path)?.canonicalText ?? "–")
  }

  private var summary: String {
    let counts = [
      (remapped.clashes, "clash", "clashes"),
      (remapped.conversionFailures, "value that could not be converted", "values that could not be converted"),
      (remapped.lossyConversions + inexactNumbers, "value that lost digits", "values that lost digits"),
    ]
    let found = counts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.0 == 1 ? $0.1 : $0.2)" }
    return found.isEmpty ? "nothing clashed, every conversion was exact" : found.joined(separator: ", ")
  }

  var json: EventValue {
    [
      "before": ["name": .string(trace.oldName), "payload": .object(payload)],
      "after": ["name": .string(trace.newName), "payload": .object(remapped.payload)],
      "inputs": .array(trace.inputs.map(\.json)), "outputs": .array(trace.outputs.map(\.json)),
      "clashes": .int(Int64(remapped.clashes)), "conversionFailures": .int(Int64(remapped.conversionFailures)),
      "lossyConversions": .int(Int64(remapped.lossyConversions + inexactNumbers)), "isReversible": .bool(isReversible),
    ]
  }
}

extension ValueRule.Outcome {
  fileprivate var words: String {
    switch self {
    case .unchanged: "moved"
    case .converted: "converted"
    case .lossy: "converted, lost digits"
    case .defaulted: "default for null"
    case .replaced: "not convertible: default"
    case .failed: "not convertible: kept as it was"
    }
  }
}

extension RemappingTrace.Destination {
  package var words: String {
    switch self {
    case .moved(_, let outcome): outcome.words
    case .dropped: "dropped by its row"
    case .kept: "no row: kept"
    case .droppedUnmapped: "no row: dropped"
    case .yielded(let path): "another key gave `\(path)`"
    case .lost(let path): "lost: another value took `\(path)`"
    }
  }
}

extension RemappingTrace.Origin {
  /// The origin of a value that the old payload does not have.
  package var addition: String? {
    switch self {
    case .row, .unmapped: nil
    case .defaultValue(let source): "default: there is no `\(source)`"
    case .constant: "constant"
    }
  }
}

extension RemappingTrace.Input {
  fileprivate var json: EventValue {
    var members: [String: EventValue] = ["path": .string(path.description), "how": .string(destination.words)]
    if case .moved(let target, _) = destination { members["to"] = .string(target.description) }
    return .object(members)
  }
}

extension RemappingTrace.Output {
  fileprivate var json: EventValue {
    var members: [String: EventValue] = ["path": .string(path.description)]
    switch origin {
    case .row(let source, _): members["from"] = .string(source.description)
    case .unmapped: members["from"] = .string(path.description)
    case .defaultValue, .constant: members["how"] = origin.addition.map { .string($0) }
    }
    return .object(members)
  }
}
