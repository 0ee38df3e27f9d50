import DualSendCore

extension DecisionContext: CustomStringConvertible {
  /// What is known, without the unit: `app version 25.4.10, platform iOS, country JP`.
  public var description: String { description(prefix: "") }

  /// - Parameter prefix: what to put before a description that is not empty.
  func description(prefix: String) -> String {
    var parts = ContextProperty.ofApp.compactMap { property in
      self[property].map { "\(property.words) \($0.printable())" }
    }
    parts += attributes.sorted { String.byteOrder($0.key, $1.key) }.map {
      "\($0.key.printable()) \($0.value.printable())"
    }
    return parts.isEmpty ? "" : prefix + parts.joined(separator: ", ")
  }
}
