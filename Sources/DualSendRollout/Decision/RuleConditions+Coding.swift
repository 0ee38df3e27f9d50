import DualSendCore

extension RuleConditions {
  /// Which of the conditions are there.
  private enum Part {
    static let appVersion = 1
    static let platforms = 2
    static let unitIDs = 4
    static let end = 8
  }

  /// The operators by the number that stands for them.
  private static let operators: [VersionCondition.Operator] = [.atLeast, .atMost, .equal, .above, .below]

  func write(to writer: inout BinaryWriter) {
    var parts = 0
    if appVersion != nil { parts |= Part.appVersion }
    if platforms != nil { parts |= Part.platforms }
    if unitIDs != nil { parts |= Part.unitIDs }
    writer.write(count: parts)
    if let appVersion {
      writer.write(list: appVersion.comparisons) { writer, comparison in
        writer.write(count: Self.operators.firstIndex(of: comparison.operator) ?? Self.operators.count)
        writer.write(list: comparison.version.parts) { $0.write($1) }
      }
    }
    if let platforms { writer.write(list: platforms) { $0.write($1) } }
    writer.write(list: attributes) { writer, attribute in
      writer.write(attribute.key)
      writer.write(list: attribute.values) { $0.write($1) }
    }
    // A set has another order in each run.
    if let unitIDs {
      writer.write(list: unitIDs.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { $0.write($1) }
    }
  }

  init(_ reader: inout BinaryReader) throws(BinaryReader.Damage) {
    let parts = try reader.number(below: Part.end)
    appVersion = parts & Part.appVersion == 0 ? nil : try Self.version(&reader)
    platforms = parts & Part.platforms == 0 ? nil : try Self.texts(&reader)
    attributes = try reader.list { reader throws(BinaryReader.Damage) in
      (key: try reader.text(), values: try Self.texts(&reader))
    }
    unitIDs = parts & Part.unitIDs == 0 ? nil : Set(try Self.texts(&reader).map(ExactText.init))
  }

  private static func texts(_ reader: inout BinaryReader) throws(BinaryReader.Damage) -> [String] {
    try reader.list { reader throws(BinaryReader.Damage) in try reader.text() }
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
