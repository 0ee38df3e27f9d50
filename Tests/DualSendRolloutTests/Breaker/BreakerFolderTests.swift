import DualSendCore
import Foundation
import Testing

@testable import DualSendRollout

@Suite("The files of a breaker")
struct BreakerFolderTests {
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("breaker-\(UUID())")
  private var folder: BreakerFolder { BreakerFolder(url) }

  private func begin(_ revision: Int64? = 1, version: String = "1.0") -> BreakerFolder.Beginning {
    folder.begin(BreakerRecord.Situation(appVersion: version, revision: revision), limit: 3, time: 1000)
  }

  /// What a process leaves that dies on trial: a mark without a lock.
  private func die(_ revision: Int64? = 1, version: String = "1.0") throws {
    let mark = try #require(begin(revision, version: version).mark)
    let copy = url.appendingPathComponent("launch-dead-\(UUID())")
    try FileManager.default.copyItem(atPath: mark.path, toPath: copy.path)
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { $0 != "lock" }.sorted()
  }

  @Test("three launches in a row that end early open it, and no later launch is marked")
  func row() throws {
    for early in 0..<3 {
      #expect(begin().record.earlyEnds == early)
      try die()
    }
    let opened = begin()
    #expect((opened.record.opening?.cause, opened.hasOpened) == (.earlyEnds, true))
    #expect(opened.mark == nil)
    let again = begin()
    #expect((again.record.opening, again.hasOpened) == (opened.record.opening, false))
    #expect(names == ["record"])
  }

  @Test("a launch under way, in this process or another, is not counted, and one that ended well leaves nothing")
  func live() {
    do {
      let first = begin()
      let second = begin()
      #expect((second.record.earlyEnds, names.count) == (0, 2))
      withExtendedLifetime((first, second)) {}
    }
    #expect(begin().record.earlyEnds == 0)
    #expect(names == [])
  }

  @Test("another app version or another revision closes it; a revision that is not known does not")
  func situations() throws {
    for _ in 0..<3 { try die(12) }
    #expect(begin(12).record.opening != nil)
    #expect(begin(nil).record.opening != nil)
    #expect(begin(12).record.opening != nil)
    let other = begin(13)
    #expect((other.record.opening, other.record.earlyEnds) == (nil, 0))
    #expect(other.record.unreported?.revision == 12)
    for _ in 0..<3 { try die(13) }
    #expect(begin(13).record.opening != nil)
    #expect(begin(13, version: "1.1").record.opening == nil)
  }

  @Test("early ends under another revision are not counted, those of a mark that was not written are")
  func otherMarks() throws {
    try die(1)
    let unwritten = url.appendingPathComponent("launch-unwritten")
    try Data().write(to: unwritten)
    #expect(begin(2).record.earlyEnds == 1)
  }

  @Test("a record that is damaged or of another format counts from 0", arguments: ["", "{", #"{"formatVersion":2}"#])
  func damage(text: String) throws {
    for _ in 0..<3 { try die() }
    _ = begin()
    try Data(text.utf8).write(to: url.appendingPathComponent("record"))
    let beginning = begin()
    #expect((beginning.record.opening, beginning.record.earlyEnds, beginning.problem) == (nil, 0, nil))
  }

  @Test("a record reads back as it was written")
  func roundTrip() {
    var record = BreakerRecord(BreakerRecord.Situation(appVersion: "1 (\"ü\")", revision: nil))
    #expect(BreakerRecord(reading: record.bytes) == record)
    record.situation.revision = 7
    record.earlyEnds = 2
    record.deadLettersBefore = 5
    record.open(.deadLetters, "words", at: 9)
    #expect(BreakerRecord(reading: record.bytes) == record)
  }

  @Test("a launch that cannot take the lock goes on without a mark, and an open breaker stays open for it")
  func heldLock() throws {
    for _ in 0..<3 { try die() }
    _ = begin()
    let holder = open(url.appendingPathComponent("lock").path, O_RDWR)
    #expect(flock(holder, LOCK_EX) == 0)
    defer { close(holder) }
    let beginning = begin()
    #expect((beginning.record.opening?.cause, beginning.mark == nil) == (.earlyEnds, true))
    #expect(beginning.problem == "another process holds the breaker's lock")
  }

  @Test("a folder that cannot be used is a problem, not an end")
  func unusable() throws {
    try Data().write(to: url)
    let beginning = begin()
    #expect(beginning.problem?.hasPrefix("the lock file cannot be opened") == true)
    #expect((beginning.mark == nil, beginning.record.opening) == (true, nil))
  }

  @Test("a record that cannot be written, as on a full disk, leaves the marks to count")
  func unwritable() throws {
    try die()
    try FileManager.default.createDirectory(
      at: url.appendingPathComponent("record.new"), withIntermediateDirectories: true)
    for early in 1..<3 {
      #expect(begin().problem?.hasPrefix("the record cannot be written") == true)
      #expect(begin().record.earlyEnds == early)
      try die()
    }
    for _ in 0..<2 { #expect(begin().record.opening?.cause == .earlyEnds) }
    try FileManager.default.removeItem(at: url.appendingPathComponent("record.new"))
    #expect(begin().hasOpened)
    #expect(names == ["record"])
  }

  @Test("its files are readable by their owner only")
  func rights() throws {
    try die()
    let beginning = begin()
    for name in names + ["lock", ""] {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.appendingPathComponent(name).path)
      #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
    }
    withExtendedLifetime(beginning) {}
  }
}

@Suite("A decision on a device whose breaker is open")
struct SteppedBackTests {
  @Test("gives the old logger what the new tracker would get, and leaves everything else as it was", arguments: 0..<40)
  func property(seed: Int) throws {
    var random = RandomDocument(seed: seed)
    let snapshot = RolloutSnapshot(try random.document())
    for event in RandomDocument.events {
      for context in RandomDocument.contexts {
        let decision = snapshot.decision(for: event, context: context)
        let steppedBack = decision.steppedBack
        #expect(!steppedBack.shouldSendLogToNewTracker)
        #expect((steppedBack.outcome == .neither) == (decision.outcome == .neither))
        #expect(steppedBack.bucket == decision.bucket)
        guard decision.shouldSendLogToNewTracker else {
          #expect(steppedBack == decision)
          continue
        }
        #expect(steppedBack.newTrackerReason == .breaker)
        #expect((steppedBack.oldLoggerReason == .breaker) == (decision.outcome == .newOnly))
      }
    }
  }

  @Test("is explained by the breaker")
  func explanation() {
    let decision = RolloutSnapshot.newTrackerOnly.decision(for: "a", context: DecisionContext()).steppedBack
    #expect(
      RolloutSnapshot.newTrackerOnly.explanation(of: decision).description
        == """
        shouldSendLogToOldLogger is on: the breaker on the device keeps the new side off
        shouldSendLogToNewTracker is off: the breaker on the device keeps the new side off
        """)
  }
}
