import DualSendCore
import DualSendRemapping

/// A remapping table as relations, and its conversions as expressions.
struct TableRelations {
  private let dialect: any SQLDialect
  private let ignored: [KeyPathPattern]
  /// All rules. Number 0 is for events without an entry.
  private let rules: [(number: Int, name: String?, rule: EventRule)]
  /// Numbered from 1; 0 is no conversion.
  private let conversions: [ValueRule]

  init(_ table: RemappingTable, ignored: [KeyPathPattern], _ dialect: any SQLDialect) {
    (self.ignored, self.dialect) = (ignored, dialect)
    let names = table.rules.keys.sorted(by: String.byteOrder)
    rules =
      [(0, nil, table.ruleForOthers)]
      + names.enumerated().map { ($0.offset + 1, $0.element, table.rule(for: $0.element)) }
    var known: Set<ValueRule> = []
    conversions = rules.flatMap { $0.rule.rows.compactMap(\.valueRule) }.filter { known.insert($0).inserted }
  }

  var stages: [Stage] { [ruleStage, oldNames, rows, ways, constants, ignoredStage] }

  /// The numbers of the conversions to these types, and 0, so that the list is not empty.
  func conversions(to types: Set<ValueType>) -> String {
    let numbers = conversions.indices.filter { conversions[$0].type.map(types.contains) ?? false }.map { $0 + 1 }
    return ([0] + numbers).map { String($0) }.joined(separator: ", ")
  }

  /// The `ds_key` of a scalar after a conversion.
  ///
  /// - Parameter number: the column of the conversion's number.
  func converted(_ number: String) -> String {
    if conversions.isEmpty { return "given_key" }
    let cases = conversions.enumerated().map {
      "WHEN \($0.offset + 1) THEN \(ValueExpression($0.element, dialect).text)"
    }
    return "CASE \(number) " + cases.joined(separator: "\n  ") + " END"
  }

  private var ruleStage: Stage {
    Stage(
      "ds_rules", "an entry of the table; number 0 is for events without an entry",
      dialect.relation(
        [
          ("rule", "INTEGER"), ("name", "STRING"), ("new_name", "STRING"), ("keeps_unmapped", "BOOLEAN"),
          ("payload_wins", "BOOLEAN"),
        ],
        rules.map { number, name, rule in
          [
            "\(number)", dialect.literal(name), dialect.literal(rule.name), "\(rule.unmapped != .drop)",
            "\(rule.clashPolicy == .payload)",
          ]
        }))
  }

  /// Without new names that several entries have.
  private var oldNames: Stage {
    let names = Dictionary(grouping: rules.filter { $0.number > 0 }) { ExactText($0.rule.name ?? $0.name ?? "") }
    let rows = names.filter { $0.value.count == 1 }.sorted { $0.key < $1.key }
    return Stage(
      "ds_old_names", "a new name that one entry has, with the old name",
      dialect.relation(
        [("new_name", "STRING"), ("name", "STRING")],
        rows.map { [dialect.literal($0.key.text), dialect.literal($0.value[0].name)] }))
  }

  private var rows: Stage {
    Stage(
      "ds_rows", "a row of the table; rows of `*` are repeated for each entry",
      dialect.relation(
        [
          ("rule", "INTEGER"), ("source", "STRING"), ("target", "STRING"), ("conversion", "INTEGER"),
          ("fallback", "STRING"), ("replaces_containers", "BOOLEAN"),
        ],
        rules.flatMap { number, _, rule in
          rule.rows.sorted { $0.source < $1.source }.map { row in
            let valueRule = row.valueRule
            let fallback = valueRule?.fallback
            return [
              "\(number)", dialect.literal(row.source.sqlPattern), dialect.literal(row.sqlTarget),
              "\(valueRule.flatMap { conversions.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)",
              dialect.literal(fallback?.canonicalText),
              "\(fallback != nil && (valueRule?.type != nil || valueRule?.table != nil))",
            ]
          }
        }))
  }

  /// The places where the source of a row with a default may be absent. Only keys can be; an empty array has no absent elements.
  private var ways: Stage {
    let ways = rules.flatMap { number, _, rule in
      rule.rows.filter { $0.valueRule?.fallback != nil }.sorted { $0.source < $1.source }.flatMap { row in
        row.source.steps.indices.compactMap { index -> [String]? in
          let (way, rest) = (row.source.steps[..<index], row.source.steps[index...])
          guard !rest.contains(.eachElement) else { return nil }
          let pattern = way.map(\.sqlStep).joined()
          let walksOverArray = rule.rows.contains { $0.source.sqlPattern.utf8.starts(with: (pattern + "[").utf8) }
          return [
            "\(number)", dialect.literal(row.source.sqlPattern), dialect.literal(pattern),
            dialect.literal(rest.first?.sqlStep), "\(walksOverArray)",
          ]
        }
      }
    }
    return Stage(
      "ds_ways", "a prefix of the source of a row with a default, and a next step that may be absent",
      dialect.relation(
        [
          ("rule", "INTEGER"), ("source", "STRING"), ("pattern", "STRING"), ("step", "STRING"),
          ("walks_over_array", "BOOLEAN"),
        ], ways))
  }

  private var constants: Stage {
    Stage(
      "ds_constants", "a scalar or an empty container that `add` writes",
      dialect.relation(
        [
          ("rule", "INTEGER"), ("number", "BIGINT"), ("target", "STRING"), ("suffix", "STRING"), ("class", "STRING"),
          ("text", "STRING"),
        ],
        rules.flatMap { number, _, rule in
          rule.constants.enumerated().flatMap { offset, constant in
            constant.value.sqlLeaves.map { leaf in
              [
                "\(number)", "\(offset + 1)", dialect.literal(constant.target.sqlPattern), dialect.literal(leaf.suffix),
                dialect.literal(leaf.kind), dialect.literal(leaf.text),
              ]
            }
          }
        }))
  }

  private var ignoredStage: Stage {
    Stage(
      "ds_ignored", "a path that is not compared",
      dialect.relation(
        [("pattern", "STRING")],
        Set(ignored.map { ExactText($0.sqlPattern) }).sorted().map { [dialect.literal($0.text)] }))
  }
}

extension RemappingRow {
  var valueRule: ValueRule? {
    if case .move(_, let rule) = action { return rule }
    return nil
  }

  fileprivate var sqlTarget: String? {
    if case .move(let target, _) = action { return target.sqlPattern }
    return nil
  }
}
