import DualSendCore

/// Conditions as bytes, with the names of properties, so that a property that this version does not know is damage.
extension [ContextCondition] {
  /// The operators by the number that stands for them.
  private static let operators: [VersionCondition.Operator] = [.atLeast, .atMost, .equal, .above, .below]

  func write(to writer: inout BinaryWriter) {
    writer.write(list: self) { writer, condition in
      switch condition.key {
      case .property(let property):
        writer.write(count: 0)
        writer.write(property.rawValue)
      case .attribute(let key):
        writer.write(count: 1)
        writer.write(key)
      }
      switch condition.test {
      case .version(let version):
        writer.write(count: 0)
        writer.write(list: version.comparisons) { writer, comparison in
          writer.write(count: Self.operators.firstIndex(of: comparison.operator) ?? Self.operators.count)
          writer.write(list: comparison.version.parts) { $0.write($1) }
        }
      case .anyOf(let texts):
        writer.write(count: 1)
        writer.write(list: texts) { $0.write($1) }
      }
    }
  }

  init(_ reader: inout BinaryReader) throws(BinaryReader.Damage) {
    self = try reader.list { reader throws(BinaryReader.Damage) in
      let isAttribute = try reader.number(below: 2) == 1
      let name = try reader.text()
      guard let key = isAttribute ? .attribute(name) : ContextProperty(rawValue: name).map(ContextKey.property) else {
        throw BinaryReader.Damage()
      }
      if try reader.number(below: 2) == 0 { return ContextCondition(key, .version(try Self.version(&reader))) }
      return ContextCondition(
        key, .anyOf(try reader.list { reader throws(BinaryReader.Damage) in try reader.text() }))
    }
  }

  private static func version(_ reader: inout BinaryReader) throws(BinaryReader.Damage) -> VersionCondition {
    let comparisons = try reader.list { reader throws(BinaryReader.Damage) in
      let sign = try reader.number(below: operators.count)
      let parts = try reader.list { reader throws(BinaryReader.Damage) in try reader.number() }
      return VersionCondition.Comparison(
        operator: operators[sign], version: DecisionContext.AppVersion(parts: parts))
    }
    guard !comparisons.isEmpty else { throw BinaryReader.Damage() }
    return VersionCondition(comparisons)
  }
}
