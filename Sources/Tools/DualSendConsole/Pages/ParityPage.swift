import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRollout

/// The page that shows the parity of both streams, and promotes events.
struct ParityPage: Sendable {
  /// The name of the running comparison in findings.
  static let name = "the comparison so far"
  /// The limit of listed fields, per event and of all events together.
  private static let maximumFields = 50

  let pairs: LiveComparison
  let gate: ParityGate
  let rollout: RolloutPage
  let kept: KeptParity

  /// Sets the new tracker's share of one event, by its names in the app, in a rollout's text.
  func promote(_ request: ConsoleRequest) async throws -> EventValue {
    var flags = try RolloutFlags(try request.text("text"))
    for pattern in try await rollout.patterns(try request.text("name")) {
      let text = try flags.promote(pattern.stem, to: try .requested(try request.number("percent")))
      flags = try RolloutFlags(text)
    }
    return ["text": .string(flags.text)]
  }

  /// The gate's judgement of the events so far; `nil` without a table.
  func judgement() async -> ParityJudgement? { await pairs.parityReport.map(gate.judgement(on:)) }

  func overview() async throws -> EventValue {
    guard let report = await pairs.parityReport else {
      throw ConsoleFailure(404, "the console has no remapping table", help: "start the console with --remap")
    }
    let live = await rollout.inForce?.document
    let now = rollout.timeSource.wallMilliseconds()
    return [
      "limit": .double(gate.limit.fraction), "gate": .string(gate.description),
      "calibration": await pairs.noise.map(json) ?? .null,
      "events": .array(report.events.map { json($0, live, now) }),
      "worst": .array(worst(report)), "restarted": await pairs.restarted.map { .int($0) } ?? .null,
      "series": .array(
        await pairs.parityPoints.map { point in
          [
            "time": .int(point.time), "judged": .int(Int64(point.judged)), "failing": .int(Int64(point.failing)),
            "bound": gate.boundJSON(point.failing, of: point.judged),
          ]
        }),
    ]
  }

  /// The measured noise.
  private func json(_ noise: ParityReport) -> EventValue {
    let total = noise.total
    return ["pairs": .int(Int64(total.pairs)), "differing": .int(Int64(total.differing))]
  }

  private func json(_ event: EventParity, _ live: RolloutDocument?, _ now: Int64) -> EventValue {
    let verdict = gate.raiseVerdict(on: event)
    var members = event.countsJSON
    for (key, count) in [("lost", event.lost), ("unexpected", event.unexpected), ("uncompared", event.uncompared)] {
      members[key] = .int(Int64(count))
    }
    members["measures"] = .array(
      ParityMeasure.allCases.map { ["title": .string($0.title), "text": .string($0.text(of: event))] })
    members["name"] = .string(event.name)
    members["newName"] = .string(event.newName)
    members["rate"] = gate.rateJSON(event.failing, of: event.judged)
    members["bound"] = gate.boundJSON(event.failing, of: event.judged)
    members["verdict"] = .string(verdict.pageWord)
    members["summary"] = .string(gate.summary(of: event, verdict))
    members["percent"] = live?.newShare(of: event.name, now: now) ?? .null
    members["fields"] = .array(event.worstFields.prefix(Self.maximumFields).flatMap(fields))
    return .object(members)
  }

  private func fields(_ field: FieldParity) -> [EventValue] {
    FieldOutcome.allCases.filter { ![.equal, .ignored].contains($0) && field.counts[$0] > 0 }.map { outcome in
      [
        "path": .string(field.path), "outcome": .string(outcome.rawValue),
        "count": .int(Int64(field.counts[outcome])), "compared": .int(Int64(field.counts.compared)),
        "noise": .int(Int64(field.noise)),
        "example": field.examples.first.map { .string($0) } ?? .null,
      ]
    }
  }

  private func worst(_ report: ParityReport) -> [EventValue] {
    let fields = report.events.flatMap { event in event.worstFields.map { (event.name, $0) } }
    return fields.sorted { ($1.1.differences, $0.0, $0.1.path) < ($0.1.differences, $1.0, $1.1.path) }
      .prefix(Self.maximumFields).flatMap { name, field in
        self.fields(field).compactMap { json -> EventValue? in
          guard case .object(var members) = json else { return nil }
          members["event"] = .string(name)
          return .object(members)
        }
      }
  }
}

extension ParityGate {
  /// The share that fails; null if nothing was judged.
  func rateJSON(_ failing: Int, of judged: Int) -> EventValue {
    judged > 0 ? .double(Double(failing) / Double(judged)) : .null
  }

  /// The upper bound of that share; null if nothing was judged.
  func boundJSON(_ failing: Int, of judged: Int) -> EventValue {
    judged > 0 ? .double(upperBound(failures: failing, of: judged)) : .null
  }
}

/// Parity over time, in a bounded number of points.
struct ParitySeries: Sendable {
  /// The counts at one time.
  struct Point: Sendable, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let time: Int64
    /// The events that were judged, and those that failed beyond noise: the input of the bound.
    let judged: Int
    let failing: Int
  }

  private static let maximumPoints = 720

  private(set) var points: [Point] = []
  private var interval: Int64 = 1000

  /// Adds a point if the interval has passed and the counts changed. At the limit, drops every second point and doubles
  /// the interval.
  mutating func add(_ point: Point) {
    if let last = points.last {
      guard point.time - last.time >= interval, (point.judged, point.failing) != (last.judged, last.failing) else {
        return
      }
    }
    points.append(point)
    guard points.count > Self.maximumPoints else { return }
    points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    interval *= 2
  }
}
