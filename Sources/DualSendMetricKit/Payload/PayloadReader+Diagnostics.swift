import DualSendCore

extension PayloadReader {
  mutating func diagnostic(
    _ kind: HealthDiagnostic.Kind, _ node: JSONNode, at path: EventPath
  ) -> HealthDiagnostic {
    var diagnostic = HealthDiagnostic(kind: kind)
    for member in members(node, at: path) {
      let place = path.appending(member.key)
      switch member.key {
      case "version": _ = text(member.value, at: place)
      case "callStackTree": diagnostic.callStacks = callStackTree(member.value, at: place)
      case "diagnosticMetaData":
        for entry in members(member.value, at: place) { read(entry, at: place, into: &diagnostic) }
      // Also where the documentation has them: beside the metadata.
      default: read(member, at: path, into: &diagnostic)
      }
    }
    return diagnostic
  }

  private mutating func read(_ member: JSONNode.Member, at path: EventPath, into diagnostic: inout HealthDiagnostic) {
    if read(member, at: path, into: &diagnostic.environment) { return }
    if diagnostic.crash != nil, read(member, at: path, intoCrash: &diagnostic.crash) { return }
    let tree = MetricTree(HealthMetric.ofDiagnostics.filter { $0.topic == diagnostic.kind.topic })
    diagnostic.readings += readings([member], at: path, in: tree)
  }

  private mutating func read(
    _ member: JSONNode.Member, at path: EventPath, intoCrash crash: inout HealthDiagnostic.Crash?
  ) -> Bool {
    let place = path.appending(member.key)
    switch member.key {
    case "exceptionType": crash?.exceptionType = number(member.value, at: place)
    case "exceptionCode": crash?.exceptionCode = number(member.value, at: place)
    case "signal": crash?.signal = number(member.value, at: place)
    case "terminationReason": crash?.terminationReason = text(member.value, at: place)
    case "virtualMemoryRegionInfo": crash?.virtualMemoryRegion = text(member.value, at: place)
    case "exceptionReason", "objectiveCexceptionReason":
      for entry in members(member.value, at: place) {
        crash?.exceptionReason[entry.key] = value(of: entry.value, at: place.appending(entry.key))
      }
    default: return false
    }
    return true
  }

  /// A number; `nil` for `null`. A code above `Int64.max` is given as its bits.
  private mutating func number(_ node: JSONNode, at path: EventPath) -> Int64? {
    switch node.content {
    case .null: return nil
    case .number(let number):
      if case .uint(let large) = number.eventValue { return Int64(bitPattern: large) }
      return document.integer(node, at: path)
    default: return document.integer(node, at: path)
    }
  }
}
