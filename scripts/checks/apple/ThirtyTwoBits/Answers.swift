// The answers to the questions of the cases, each on every path of the library that gives one.

import DualSendCore
import DualSendRemapping
import DualSendTables

@testable import DualSendRollout
@testable import DualSendTracking

typealias Members = [String: EventValue]

func answers(to question: Members, _ kind: String) -> [Members] {
  switch kind {
  case "decision": decisions(question)
  case "remapping": remapped(question)
  case "inverse": [inverse(question)]
  case "reading": [["isAccepted": .bool(isAccepted(question.text("text"), question.text("format")))]]
  case "number": numbers(question.text("text"))
  case "double": [["text": EventValue.double(Double(bitPattern: question.word("bits"))).canonical]]
  case "percentage": [percentage(question.text("text"))]
  case "hash": [hash(question)]
  case "timestamp": [timestamp(question.integer("milliseconds"))]
  case "id": [id(question)]
  case "delay": [delay(question)]
  case "log": [["isDamaged": .bool(question.bytes("bytes").withUnsafeBytes { WriteAheadLog.isDamaged($0) })]]
  case "blob": [blob(question.bytes("bytes"))]
  case "run": [run(question.bytes("bytes"), last: question.integer("sequence"))]
  case "checksum": [checksum(question)]
  case "age": [age(question)]
  case "ledger": [ledger(question.integer("sequence"))]
  default: [[:]]
  }
}

extension Members {
  func text(_ key: String) -> String {
    if case .string(let text)? = self[key] { text } else { "" }
  }

  func optionalText(_ key: String) -> String? {
    if case .string(let text)? = self[key] { text } else { nil }
  }

  func integer(_ key: String) -> Int64 {
    if case .int(let number)? = self[key] { number } else { 0 }
  }

  /// 64 bits in hexadecimal.
  func word(_ key: String) -> UInt64 {
    UInt64(text(key), radix: 16) ?? 0
  }

  func bytes(_ key: String) -> [UInt8] {
    var digits = text(key)[...]
    var bytes: [UInt8] = []
    while !digits.isEmpty {
      bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
      digits = digits.dropFirst(2)
    }
    return bytes
  }

  func object(_ key: String) -> Members {
    if case .object(let members)? = self[key] { members } else { [:] }
  }

  func json(_ key: String) -> [UInt8] {
    (self[key] ?? .null).canonicalJSON
  }
}

extension EventValue {
  fileprivate var canonical: EventValue { .string(canonicalText) }
}

// MARK: - Fixtures/conformance

private func isAccepted(_ text: String, _ format: String) -> Bool {
  do throws(DocumentError) {
    if format == "rollout" {
      _ = try RolloutDocument(reading: text.utf8)
    } else {
      _ = try RemappingTable(reading: text.utf8)
    }
    return true
  } catch {
    return false
  }
}

private func decisions(_ question: Members) -> [Members] {
  let document: RolloutDocument
  do throws(DocumentError) {
    document = try RolloutDocument(reading: question.json("document"))
  } catch {
    return [["refused": .string(error.description)]]
  }
  let snapshot = RolloutSnapshot(
    document, at: question.optionalText("time").flatMap { Timestamp.milliseconds(text: $0) })
  let members = question.object("context")
  var context = DecisionContext(unitID: members.optionalText("unitID"))
  for property in ContextProperty.ofApp { context[property] = members.optionalText(property.rawValue) }
  for (key, value) in members.object("attributes") {
    if case .string(let text) = value { context.attributes[key] = text }
  }
  let (event, subject) = (question.text("event"), snapshot.subject(context))
  let (plain, prepared) = (
    snapshot.decision(for: event, context: context), snapshot.decision(for: event, subject: subject)
  )
  let sinks = document.sinks.map { $0.sink }
  return [
    answer(plain, sinks.map { ($0, snapshot.receives($0.id, on: $0.side, event: event, context: context)) }),
    answer(
      prepared,
      sinks.map {
        ($0, snapshot.receives($0.id, on: $0.side, event: event, subject: subject, decision: prepared))
      }),
  ]
}

private func answer(_ decision: SinkDecision, _ sinks: [(sink: RolloutSink, isOn: Bool)]) -> Members {
  var on: Members = [:]
  for (sink, isOn) in sinks { on[sink.id] = .bool(isOn) }
  return [
    "oldLogger": .bool(decision.shouldSendLogToOldLogger), "newTracker": .bool(decision.shouldSendLogToNewTracker),
    "oldLoggerReason": .string(words(decision.oldLoggerReason)),
    "newTrackerReason": .string(words(decision.newTrackerReason)),
    "bucket": decision.bucket.map { .int(Int64($0)) } ?? .null, "sinks": .object(on),
  ]
}

private func words(_ reason: SinkDecision.Reason) -> String {
  switch reason {
  case .rule(let index): "rule \(index + 1)"
  case .topLevel: "top level"
  case .missingUnit: "missing unit"
  case .fixed: "fixed"
  case .breaker: "breaker"
  case .noSink: "no sink"
  }
}

private func table(_ question: Members) -> RemappingTable {
  do throws(DocumentError) { return try RemappingTable(reading: question.json("table")) } catch {
    return RemappingTable()
  }
}

private func remapped(_ question: Members) -> [Members] {
  let (table, event, payload) = (table(question), question.text("event"), question.object("payload"))
  return [table.apply(to: event, payload: payload), table.trace(event, payload: payload).remapped].map { event in
    [
      "name": .string(event.name), "payload": .object(event.payload), "clashes": .int(Int64(event.clashes)),
      "conversionFailures": .int(Int64(event.conversionFailures)),
      "lossyConversions": .int(Int64(event.lossyConversions)),
      "unmapped": .array(event.unmapped.map { .string($0.description) }),
    ]
  }
}

private func inverse(_ question: Members) -> Members {
  let table = table(question)
  var answer: Members = ["isInvertible": .bool(table.isInvertible)]
  if let old = table.inverted()?.apply(to: question.text("event"), payload: question.object("payload")) {
    answer["name"] = .string(old.name)
    answer["payload"] = .object(old.payload)
  }
  return answer
}

// MARK: - Arithmetic

/// A number's text, read as a value and as a part of a document.
private func numbers(_ text: String) -> [Members] {
  var inexact = 0
  do throws(JSONError) {
    let value = try JSONReader().value(text.utf8, countingInexact: &inexact)
    let plain: EventValue =
      switch value.plainValue {
      case .int: "Int"
      case .int64: "Int64"
      case .other: .null
      }
    return [value, try JSONReader().document(text.utf8).root.eventValue].map { value in
      ["text": value.canonical, "plain": plain, "isExact": .bool(inexact == 0)]
    }
  } catch {
    return [["refused": .string(error.description)]]
  }
}

private func percentage(_ text: String) -> Members {
  do throws(RolloutPercentage.Fault) {
    return ["thousandths": .int(Int64(try RolloutPercentage(jsonNumber: text).thousandths))]
  } catch {
    return ["fault": error == .outOfRange ? "out of range" : "too many decimals"]
  }
}

private func hash(_ question: Members) -> Members {
  var hash = Murmur3(seed: UInt32(truncatingIfNeeded: question.integer("seed")))
  hash.combine(question.text("text"))
  let result = hash.finish()
  return [
    "hash": .int(Int64(result)), "bucket": .int(Int64(RolloutBucket(hash: result).index)),
    "fnv": .string(FNV1a.hexadecimal(question.text("text").utf8)),
  ]
}

private func timestamp(_ milliseconds: Int64) -> Members {
  let text = Timestamp.text(milliseconds: milliseconds)
  return [
    "text": .string(text), "read": Timestamp.milliseconds(text: text).map { .int($0) } ?? .null,
    "date": .int(Timestamp.milliseconds(Timestamp.date(milliseconds: milliseconds))),
    "isWritable": .bool(Timestamp.isWritable(milliseconds: milliseconds)),
  ]
}

private func id(_ question: Members) -> Members {
  var random = SplitMix64(seed: question.word("seed"))
  let id = EventID(milliseconds: question.integer("milliseconds"), using: &random)
  return [
    "text": .string(id.description), "isReadBack": .bool(EventID(id.description) == id),
    "below": .int(Int64(random.number(below: 1_000_000_007))),
  ]
}

/// The wait after failures, by a response's `Retry-After` or by a stream's `retry`; in milliseconds.
private func delay(_ question: Members) -> Members {
  let delay: Duration?
  if let text = question.optionalText("retryAfter") {
    delay = RetryAfter.delay(
      in: HTTPTransportResponse(retryAfter: text), wallMilliseconds: question.integer("now"))
  } else if let text = question.optionalText("stream") {
    var parser = EventStreamParser()
    do throws(EventStreamParser.TooLong) { _ = try parser.read(text.utf8) } catch { return ["isTooLong": true] }
    delay = parser.retry
  } else {
    let failures = Int(clamping: question.integer("failures"))
    delay = RetryBackoff.fullJitter.delay(afterFailures: failures) { 1 }
  }
  return ["milliseconds": delay.map { .int($0.inMilliseconds) } ?? .null]
}

// MARK: - The store

private func blob(_ bytes: [UInt8]) -> Members {
  bytes.withUnsafeBytes { bytes in
    var (number, length) = (BlobCursor(bytes), BlobCursor(bytes))
    return [
      "leb128": number.leb128().map { EventValue($0).canonical } ?? .null,
      "number": length.number().map { .int(Int64($0)) } ?? .null,
    ]
  }
}

private func ledger(_ sequence: Int64) -> Members {
  let sequences = UncountedEvents.sequences(after: sequence)
  return [
    "first": .int(sequences.lowerBound), "last": .int(sequences.upperBound),
    "isCount": .bool(LedgerCounter.range.contains(sequence)),
  ]
}

private func run(_ bytes: [UInt8], last: Int64) -> Members {
  bytes.withUnsafeBytes { bytes in
    let events = EventRun.events(of: bytes, checksum: BodyChecksum.of(bytes), last: last, count: nil, attempts: 0)
    let ends = [events?.first, events?.last].map { $0.map { EventValue.int($0.sequence) } ?? .null }
    return [
      "events": events.map { .array($0.map { .array([.int($0.time), .int(Int64($0.bodyCount))]) }) } ?? .null,
      "sequences": .array(ends),
      "isWrittenBack": .bool(EventRun(blob: bytes).map { $0.blob.elementsEqual(bytes) } ?? false),
    ]
  }
}

private func checksum(_ question: Members) -> Members {
  let place = RowPlace(sequence: question.integer("sequence"), count: question.integer("count"))
  let checksum = question.bytes("bytes").withUnsafeBytes { BodyChecksum.of($0, at: place) }
  return ["checksum": .int(checksum), "fits": .bool(place.fits(checksum))]
}

private func age(_ question: Members) -> Members {
  let (wall, uptime) = (question.integer("now"), question.integer("uptime"))
  nonisolated(unsafe) var isStarted = false
  let time = TimeSource(
    wallMilliseconds: { wall }, uptime: { isStarted ? .milliseconds(uptime) : .zero })
  let clock = AgeClock(time: time, age: question.integer("age"), wall: question.integer("wall"))
  isStarted = true
  return ["age": .int(clock.now())]
}
