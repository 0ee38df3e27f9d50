package import DualSendCore
import DualSendParity
import DualSendRemapping

/// Tests a drafted table on pairs, with the comparison of `dualsend parity`.
package struct DraftCheck: Sendable {
  /// One claim with its pairs.
  package struct Claim: Sendable, Hashable {
    package let event: String
    /// The claim as text, without values.
    package let text: String
    package internal(set) var pairs = 0
    package internal(set) var contradicting = 0
  }

  /// The number of compared pairs.
  package private(set) var pairs = 0
  /// The number of pairs without a difference.
  package private(set) var equalPairs = 0
  /// The number of compared and of equal fields.
  package private(set) var fields = (compared: 0, equal: 0)
  /// The claims with pairs, by event.
  package private(set) var claims: [Claim] = []

  /// Tests a draft on the held-out pairs of a sample.
  package init(_ draft: TableDraft, heldOutOf sample: PairSample) throws(DocumentError) {
    let table = try draft.table()
    for event in draft.events {
      add(event, table, sample.events[ExactText(event.name)]?.heldOut ?? [])
    }
  }

  init(_ event: DraftedEvent, _ table: RemappingTable, _ pairs: [PairSample.Pair]) {
    add(event, table, pairs)
  }

  /// The claims that too many pairs contradict.
  package func refuted(_ confidence: DraftConfidence) -> [Claim] {
    claims.filter { confidence.isRefuted(contradicting: $0.contradicting, of: $0.pairs) }
  }

  private mutating func add(_ event: DraftedEvent, _ table: RemappingTable, _ pairs: [PairSample.Pair]) {
    guard !pairs.isEmpty else { return }
    let written = event.rows.compactMap(\.target) + event.constants.map(\.target)
    var rename = Claim(event: event.name, text: "the new name")
    var places = event.places.map { (place: $0.place, claim: Claim(event: event.name, text: $0.text)) }
    for pair in pairs {
      let expected = table.apply(to: event.name, payload: pair.old)
      let hasName = expected.name.isExactly(pair.newName)
      rename.pairs += 1
      if !hasName { rename.contradicting += 1 }
      let fields = ComparedField.all(expected: expected.payload, actual: pair.new)
      let wrong = fields.filter { $0.outcome != .equal }.map { (path: $0.path.general, outcome: $0.outcome) }
      self.pairs += 1
      if hasName, wrong.isEmpty { equalPairs += 1 }
      self.fields.compared += fields.count
      self.fields.equal += fields.count - wrong.count
      // The claims are not about another event's payload.
      guard hasName || event.isNameOpen else { continue }
      for index in places.indices {
        places[index].claim.pairs += 1
        let isContradicted = wrong.contains { field in
          switch places[index].place {
          case .target(let path): path.isAtOrAround(field.path)
          case .dropped(let path):
            field.outcome == .extra && path.isAtOrAround(field.path)
              && !written.contains { $0.isAtOrAround(field.path) }
          }
        }
        if isContradicted { places[index].claim.contradicting += 1 }
      }
    }
    claims += (event.newName == nil ? [] : [rename]) + places.map(\.claim)
  }
}

extension DraftedEvent {
  fileprivate enum ClaimedPlace {
    case target(KeyPathPattern)
    case dropped(KeyPathPattern)
  }

  /// The place of each claim in the new payload, rows first.
  fileprivate var places: [(place: ClaimedPlace, text: String)] {
    rows.map { row in (row.target.map { .target($0) } ?? .dropped(row.source), row.deed) }
      + constants.map { (.target($0.target), "adds `\($0.target)`") }
  }

  /// The event without the claims that its own pairs contradict in combination.
  func checked(on pairs: [PairSample.Pair], _ confidence: DraftConfidence) -> DraftedEvent {
    var event = self
    guard let table = try? TableDraft([self]).table() else {
      // The rows conflict, such as two spellings of one key.
      event.open.append("the learned rows conflict with each other: \(rows.count + constants.count) left out")
      (event.rows, event.constants) = ([], [])
      return event
    }
    let claims = DraftCheck(self, table, pairs).claims.dropFirst(newName == nil ? 0 : 1)
    let holds = claims.map { confidence.accepts(contradicting: $0.contradicting, of: $0.pairs) }
    guard holds.count == rows.count + constants.count, holds.contains(false) else { return self }
    for (claim, holds) in zip(claims, holds) where !holds {
      event.open.append("\(claim.text): contradicted by \(claim.contradicting) of \(claim.pairs.counted("pair"))")
    }
    event.rows = zip(rows, holds).filter(\.1).map(\.0)
    event.constants = zip(constants, holds.dropFirst(rows.count)).filter(\.1).map(\.0)
    return event
  }
}

extension EventPath {
  /// The steps with array indices generalised.
  fileprivate var general: [KeyPathPattern.Step] {
    steps.map { step in
      switch step {
      case .key(let key): .key(key)
      case .index: .eachElement
      }
    }
  }
}

extension KeyPathPattern {
  /// Whether the paths are equal or one contains the other.
  fileprivate func isAtOrAround(_ steps: [Step]) -> Bool {
    self.steps.starts(with: steps) || steps.starts(with: self.steps)
  }
}
