import DualSendTables
@testable import DualSendCore
@testable import DualSendRemapping

extension FuzzTarget {
  /// Remapping tables: one that is accepted applies to any payload.
  ///
  /// The first part is the table, the second an event `{"name", "parameters"}`; whatever is JSON serves as a payload.
  static let remapping = FuzzTarget(name: "remapping", mutation: .json) { input in
    let table: RemappingTable
    do throws(DocumentError) { table = try RemappingTable(input.part(0), name: "input") } catch {
      precondition(error.diagnostics.contains { $0.severity == .error }, "refused without an error")
      _ = error.description
      return
    }
    _ = table.warnings.map(\.description) + table.inversionObstacles.map(\.description)
    let inverse = table.inverted()
    precondition((inverse != nil) == table.isInvertible, "an inverse without the claim, or the other way round")
    let payloads = [input.part(1), input.part(0)].compactMap { try? JSONReader().value($0) }.map(payload)
    for payload in payloads + [[:]] {
      for name in table.rules.keys.sorted().prefix(20) + ["home.like_button.tap", "unheard of"] {
        let remapped = table.apply(to: name, payload: payload)
        let (traced, _) = table.trace(name, payload: payload)
        precondition(remapped == traced, "a trace changes the result")
        _ = EventValue.object(remapped.payload).canonicalJSON
        _ = inverse?.apply(to: remapped.name, payload: remapped.payload)
      }
    }
  }

  private static func payload(_ value: EventValue) -> [String: EventValue] {
    guard case .object(let members) = value else { return ["value": value] }
    if case .object(let parameters)? = members["parameters"] { return parameters }
    return members
  }
}
