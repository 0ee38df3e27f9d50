import DualSendCommandLine
package import DualSendCore
import DualSendRemapping

/// The JSON form of a report, written by `--format json` and read by `dualsend plan --parity`.
extension ParityReport {
  static let formatVersion: Int64 = 1

  /// The report as a JSON value; its canonical text is the same for equal reports.
  ///
  /// - Parameter judgement: the gate's judgement, if any. Not read back, because the reader applies its own gate; nor are the version and
  ///   the inputs.
  package func json(_ judgement: ParityJudgement? = nil) -> EventValue {
    [
      "formatVersion": .int(Self.formatVersion),
      "version": .string(ToolVersion.text),
      "inputs": .array(
        inputs.map { ["role": .string($0.role), "path": .string($0.path), "sha256": .string($0.sha256)] }),
      "join": join.json,
      "membership": membership.json,
      "gate": judgement?.json ?? .null,
      "calibrated": .bool(isCalibrated),
      "old": old.json,
      "new": new.json,
      "revisions": revisions.json,
      "total": .object(total.countsJSON),
      "events": .array(events.map(\.json)),
    ]
  }
}

extension JoinRule {
  fileprivate var json: EventValue {
    switch self {
    case .eventID(let parameter): ["by": "eventID", "parameter": parameter.map { .string($0) } ?? .null]
    case .order(let unit, let window):
      [
        "by": "order", "unit": unit.map { .string($0.description) } ?? .null,
        "window": window.map { .int($0) } ?? .null,
      ]
    }
  }
}

extension StreamMembership.Summary {
  fileprivate var json: EventValue {
    switch self {
    case .everywhere: ["by": "everywhere"]
    case .oneSidedAllowed(let sides):
      [
        "by": "oneSidedAllowed",
        "in": .array(StreamSide.allCases.filter(sides.contains).map { .string($0.word) }),
      ]
    case .rollout(let revisions, let late):
      ["by": "rollout", "revisions": .array(revisions.map { .int($0) }), "late": .int(late)]
    }
  }
}

extension ParityReport.Stream {
  fileprivate var json: EventValue {
    [
      "lines": .int(Int64(lines)), "malformed": .int(Int64(malformed)),
      "malformedLines": .array(malformedLines.map { .int(Int64($0)) }),
    ]
  }
}

extension EventParity {
  /// The measures, the counts, and those without noise.
  package var countsJSON: [String: EventValue] {
    let measures = ParityMeasure.allCases.map { ($0.rawValue, self[$0].map { .int($0) } ?? EventValue.null) }
    return Dictionary(
      measures + ParityCount.allCases.map { ($0.key, .int(Int64(self[$0]))) } + [
        ("differing", .int(Int64(differing))), ("failing", .int(Int64(failing))),
      ],
      uniquingKeysWith: { first, _ in first })
  }

  fileprivate var json: EventValue {
    var members = countsJSON
    members["name"] = .string(name)
    members["newName"] = .string(newName)
    for list in ParityExamples.all { members[list.key] = .texts(self[keyPath: list.ids]) }
    members["fields"] = .array(fields.map(\.json))
    members["units"] = unitTotals.map { totals in
      [
        "judged": .int(Int64(totals.judged)), "failing": .int(Int64(totals.failing)),
        "eventsWithoutUnit": .int(Int64(totals.withoutUnit)),
      ]
    }
    return .object(members)
  }
}

extension RevisionTally {
  var json: EventValue {
    [
      "events": .array(newest.map { [$0.revision.map { .int($0) } ?? .null, .int(Int64($0.events))] }),
      "others": .int(Int64(others)),
    ]
  }
}

extension FieldParity {
  fileprivate var json: EventValue {
    var members: [String: EventValue] = [
      "path": .string(path), "noise": .int(Int64(noise)), "examples": .texts(examples),
    ]
    for outcome in FieldOutcome.allCases { members[outcome.rawValue] = .int(Int64(counts[outcome])) }
    return .object(members)
  }
}

extension EventValue {
  static func texts(_ texts: [String]) -> EventValue {
    .array(texts.map { .string($0) })
  }
}
