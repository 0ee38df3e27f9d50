import DualSendCore
import DualSendJSONLines
import DualSendRemapping

/// What the lines of a comparison are joined by.
struct LineKeys {
  private let join: JoinRule
  private let table: RemappingTable
  private let newForm: StreamForm

  init(comparer: ParityComparer, newForm: StreamForm) {
    join = comparer.join
    table = comparer.table
    self.newForm = newForm
  }

  func form(of side: StreamSide) -> StreamForm {
    side == .old ? .legacy : newForm
  }

  /// Milliseconds since 1970; 0 where the time does not matter or is not known.
  func time(of line: EventLine) -> Int64 {
    if case .order = join { return line.milliseconds ?? 0 }
    return 0
  }

  /// `nil` if the line lacks what the lines are joined by.
  func key(of line: EventLine, _ side: StreamSide) -> TextHash? {
    let isLegacy = form(of: side) == .legacy
    var key = TextHash()
    switch join {
    case .eventID(let parameter?) where isLegacy:
      guard case .string(let id)? = line.payload?.value(exactly: parameter) else { return nil }
      key.add(id)
    case .eventID:
      guard let id = line.rawEventID else { return nil }
      key.add(id)
    case .order(let unit, _):
      guard let name = line.eventName else { return nil }
      key.add(isLegacy ? table.rule(for: name).name ?? name : name)
      // Events of nobody are joined with each other.
      guard let unit else { break }
      if let id = isLegacy ? line.unitID : line.payload.flatMap({ unit.value(in: $0)?.unitID }) { key.add(id) }
    }
    return key
  }
}

extension EventValue {
  /// The text of a unit's id; `nil` where there is none.
  var unitID: String? {
    if case .null = self { return nil }
    return text.isEmpty ? nil : text
  }

  /// A string's own text, anything else as canonical JSON.
  var text: String {
    if case .string(let text) = self { return text }
    return canonicalText
  }
}
