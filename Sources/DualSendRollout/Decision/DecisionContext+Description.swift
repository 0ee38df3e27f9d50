import DualSendCore

extension DecisionContext: CustomStringConvertible {
  /// The known properties and attributes, without the unit: `app version 25.4.10, platform iOS, country JP`.
  public var description: String { description(prefix: "") }

  /// - Parameter prefix: stands before a description that is not empty.
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
