import DualSendCore
import DualSendRemapping
import DualSendTables
import Testing

@Suite("Properties of random tables", .timeLimit(.minutes(5)))
struct PropertyTests {
  @Test("an inverse gives back every event that the table calls reversible", arguments: UInt64(0)..<300)
  func inverse(seed: UInt64) throws {
    var random = RandomTables(seed: seed, invertibleOnly: true)
    let table = random.table()
    guard let inverse = table.inverted() else { return }
    for _ in 0..<50 {
      let (name, payload) = (random.event(), random.payload())
      let remapped = table.apply(to: name, payload: payload)
      guard table.isReversible(name, payload: payload) else { continue }
      let back = inverse.apply(to: remapped.name, payload: remapped.payload)
      try #require(back.name == name && back.payload == payload, "\(name) \(EventValue.object(payload).canonicalText)")
    }
  }

  @Test("most of the tables and events that the inverse is tried on count")
  func inverseIsExercised() {
    var (tables, events, reversible) = (0, 0, 0)
    for seed in UInt64(0)..<300 {
      var random = RandomTables(seed: seed, invertibleOnly: true)
      let table = random.table()
      guard table.isInvertible else { continue }
      tables += 1
      for _ in 0..<50 {
        events += 1
        if table.isReversible(random.event(), payload: random.payload()) { reversible += 1 }
      }
    }
    #expect(tables > 150)
    #expect(reversible * 3 > events)
  }

  @Test("the short way, the long way and a second run agree on any table and payload", arguments: UInt64(0)..<300)
  func pathsAgree(seed: UInt64) throws {
    var random = RandomTables(seed: seed, invertibleOnly: false)
    let table = random.table()
    for _ in 0..<30 {
      let (name, payload) = (random.event(), random.payload())
      let remapped = table.apply(to: name, payload: payload)
      let traced = table.trace(name, payload: payload)
      try #require(remapped == traced.remapped)
      try #require(remapped == table.apply(to: name, payload: payload))
      try #require(traced.trace == table.trace(name, payload: payload).trace)
    }
  }

  @Test("nothing is lost but by a drop, a clash, or what the table drops", arguments: UInt64(0)..<200)
  func nothingLost(seed: UInt64) throws {
    var random = RandomTables(seed: seed, invertibleOnly: true)
    let table = random.table()
    for _ in 0..<30 {
      let (name, payload) = (random.event(), random.payload())
      let remapped = table.apply(to: name, payload: payload)
      guard remapped.clashes == 0 else { continue }
      let constants = table.rule(for: name).constants.count
      try #require(leaves(.object(remapped.payload)).count >= leaves(.object(payload)).count)
      try #require(leaves(.object(remapped.payload)).count <= leaves(.object(payload)).count + constants)
    }
  }

  private func leaves(_ value: EventValue) -> [EventValue] {
    switch value {
    case .object(let members): members.values.flatMap(leaves)
    case .array(let elements): elements.flatMap(leaves)
    default: [value]
    }
  }
}
