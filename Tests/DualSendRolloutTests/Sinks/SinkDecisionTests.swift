import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("A named sink", .timeLimit(.minutes(5))) struct SinkDecisionTests {
  private static let buckets = [0, 1, 9_999, 10_000, 24_999, 25_000, 33_333, 50_001, 60_000, 75_000, 99_998, 99_999]
  /// A unit for each of the buckets, and those that rules name.
  private static let units: [String?] = {
    var units: [String?] = [nil, "qa-1", "qa-2"]
    let bucketing = RolloutBucketing(salt: "test")
    var missing = Set(buckets)
    for number in 0..<5_000_000 where !missing.isEmpty {
      let id = "t\(number)"
      if missing.remove(bucketing.bucket(of: id).index) != nil { units.append(id) }
    }
    return units
  }()

  /// What the format's words say, read as plainly as can be.
  private func reference(
    _ sink: RolloutSink, _ document: RolloutDocument, at time: Int64?, _ event: String, _ context: DecisionContext,
    sideIsOn: Bool
  ) -> Bool {
    var share = document.sinks.flag(of: sink)?.percentage(at: time)?.thousandths ?? 100_000
    for rule in document.rules.reversed() where rule.match.covers(event) && rule.match.conditions.hold(for: context) {
      if let own = rule.sinks.flag(of: sink)?.percentage(at: time) { share = own.thousandths }
    }
    guard sideIsOn else { return false }
    guard let unit = context.unitID else { return share == 100_000 }
    let bucket = RolloutBucketing(salt: document.salt).bucket(of: unit).index
    return sink.side == .new ? bucket < share : bucket >= 100_000 - share
  }

  @Test("receives what the format's words say, for every event, context and unit", arguments: 0..<60)
  func model(seed: Int) throws {
    var generator = RandomSinkDocument(seed: seed)
    let document = try generator.document()
    for time in [nil, 2000] as [Int64?] {
      let snapshot = RolloutSnapshot(document, at: time)
      let stranger = RolloutSnapshot(document, at: 0)
      for unit in Self.units {
        for platform in [nil, "iOS", "tvOS"] as [String?] {
          let context = DecisionContext(unitID: unit, platform: platform)
          let subject = snapshot.subject(context)
          for event in RandomSinkDocument.events {
            let decision = snapshot.decision(for: event, subject: subject)
            for sink in RandomSinkDocument.sinks {
              let isOn = decision.outcome.includes(sink.side)
              let expected = reference(sink, document, at: time, event, context, sideIsOn: isOn)
              let found = [subject, stranger.subject(context)].map {
                snapshot.receives(sink.id, on: sink.side, event: event, subject: $0, decision: decision)
              }
              // `#expect` on every line of the innermost loop would take most of the test's time.
              if found != [expected, expected]
                || snapshot.receives(sink.id, on: sink.side, event: event, context: context) != expected
              {
                Issue.record("\(sink.key) \(event) \(context) \(document)")
              }
            }
          }
        }
      }
    }
  }

  @Test("keeps every unit when its share, or its side's, is raised", arguments: RolloutSide.allCases)
  func monotonic(side: RolloutSide) throws {
    let shares = [0, 1, 10, 25, 33.333, 60, 99.999, 100]
    let sink = side == .old ? "console" : "amplitude"
    func receivers(_ share: Double, of flag: Double) throws -> Set<String?> {
      let document = try sinkDocument(
        #""\#(side.flagKey)": \#(flag), "allowNeither": true, "sinks": {"\#(side.rawValue)": {"\#(sink)": \#(share)}}"#)
      let snapshot = RolloutSnapshot(document)
      return Set(
        Self.units.filter {
          snapshot.receives(sink, on: side, event: "e", context: DecisionContext(unitID: $0))
        })
    }
    for (low, high) in zip(shares, shares.dropFirst()) {
      for other in shares {
        #expect(try receivers(low, of: other).isSubset(of: receivers(high, of: other)))
        #expect(try receivers(other, of: low).subtracting([nil]).isSubset(of: receivers(other, of: high)))
      }
    }
    #expect(try receivers(100, of: 100).subtracting([nil]).count == Self.units.count - 1)
  }

  @Test("never receives what its side does not")
  func withinItsSide() throws {
    let document = try sinkDocument(
      #""shouldSendLogToNewTracker": 25, "sinks": {"new": {"a": 100}, "old": {"b": 100}}"#)
    let snapshot = RolloutSnapshot(document)
    for unit in Self.units {
      let context = DecisionContext(unitID: unit)
      let outcome = snapshot.decision(for: "e", context: context).outcome
      #expect(snapshot.receives("a", on: .new, event: "e", context: context) == outcome.includesNewTracker)
      #expect(snapshot.receives("b", on: .old, event: "e", context: context) == outcome.includesOldLogger)
    }
  }

  @Test(
    "receives without a unit only if nothing narrows it, and then what `missingUnit` gives its side",
    arguments: ["old", "new", "both"], [("0", false), ("50", false), ("99.999", false), ("100", true)])
  func noUnit(missingUnit: String, share: (text: String, follows: Bool)) throws {
    let document = try sinkDocument(
      #"""
      "shouldSendLogToNewTracker": 5, "missingUnit": "\#(missingUnit)",
      "sinks": {"new": {"a": \#(share.text)}, "old": {"b": \#(share.text)}}
      """#)
    let snapshot = RolloutSnapshot(document)
    let context = DecisionContext()
    #expect(snapshot.receives("a", on: .new, event: "e", context: context) == (share.follows && missingUnit != "old"))
    #expect(snapshot.receives("b", on: .old, event: "e", context: context) == (share.follows && missingUnit != "new"))
  }

  @Test("is decided by its own document's rules, whatever document the subject was made for")
  func strangers() throws {
    let snapshots = try ["iOS", "tvOS"].map { platform in
      RolloutSnapshot(
        try sinkDocument(
          #"""
          "shouldSendLogToNewTracker": 100, "sinks": {"new": {"a": 0}},
          "rules": [{"match": {"platform": ["\#(platform)"]}, "sinks": {"new": {"a": 100}}}]
          """#))
    }
    let context = DecisionContext(unitID: "u", platform: "iOS")
    for (snapshot, receives) in zip(snapshots, [true, false]) {
      let decision = snapshot.decision(for: "e", context: context)
      for maker in snapshots {
        #expect(
          snapshot.receives("a", on: .new, event: "e", subject: maker.subject(context), decision: decision) == receives)
      }
    }
  }

  @Test("that the document names on the other side, or that only Unicode calls equal, follows its side's flag")
  func othersFollow() throws {
    let document = try sinkDocument(#""shouldSendLogToNewTracker": 100, "sinks": {"new": {"K": 0}}"#)
    let snapshot = RolloutSnapshot(document)
    let context = DecisionContext(unitID: "u")
    #expect(!snapshot.receives("K", on: .new, event: "e", context: context))
    #expect(snapshot.receives("K", on: .old, event: "e", context: context))
    #expect(snapshot.receives("\u{212A}", on: .new, event: "e", context: context))
    #expect(snapshot.receives("newTracker", on: .new, event: "e", context: context))
  }

  @Test("follows plain booleans, which name no sinks")
  func booleans() throws {
    let snapshot = try RolloutSnapshot(shouldSendLogToOldLogger: false, shouldSendLogToNewTracker: true)
    #expect(!snapshot.namesSinks)
    let subject = snapshot.subject(DecisionContext())
    let decision = snapshot.decision(for: "e", subject: subject)
    #expect(snapshot.receives("a", on: .new, event: "e", subject: subject, decision: decision))
    #expect(!snapshot.receives("a", on: .old, event: "e", subject: subject, decision: decision))
  }

  @Test("does not change what the flags decide", arguments: 0..<20)
  func flagsStay(seed: Int) throws {
    var generator = RandomSinkDocument(seed: seed)
    let document = try generator.document()
    var bare = document
    bare.sinks = []
    let (with, without) = (RolloutSnapshot(document, at: 2000), RolloutSnapshot(bare, at: 2000))
    #expect(with.namesSinks && !without.namesSinks)
    for unit in Self.units {
      for event in RandomSinkDocument.events {
        let context = DecisionContext(unitID: unit, platform: "iOS")
        #expect(with.decision(for: event, context: context) == without.decision(for: event, context: context))
      }
    }
  }
}
