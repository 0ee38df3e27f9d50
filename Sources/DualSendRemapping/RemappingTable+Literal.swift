public import DualSendCore

/// A table as a Swift literal, with the terms of the JSON document.
///
/// ```swift
/// let table: RemappingTable = [
///   "*": ["uid": "user_id"],
///   "app.open": "app.launch",
///   "home.like_button.tap": .init(
///     name: "home.like.tap",
///     parameters: ["item_id": "new_item_id", "pos": .init(to: "position", type: .int), "debug": nil],
///     add: ["schema": 2]),
/// ]
/// ```
///
/// The literal is checked like its JSON document. An invalid row is left out, so its value keeps its old name, and
/// ``problems`` gives the reason. A debug build also stops with an assertion; a release build never stops.
extension RemappingTable: ExpressibleByDictionaryLiteral {
  /// Creates a table from an entry for each event; the entry of `*` is for every event.
  public init(dictionaryLiteral entries: (String, Entry)...) {
    self.init(literal: entries, file: nil)
    assert(problems.isEmpty, problemText)
  }

  /// Creates a table from an entry for each event. ``problems`` and the assertion name the source file.
  public init(_ entries: KeyValuePairs<String, Entry>, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(literal: entries.map { ($0.key, $0.value) }, file: "\(fileID)")
    assert(problems.isEmpty, problemText, file: fileID, line: line)
  }

  /// The same without the debug build's assertion.
  init(literal entries: [(String, Entry)], file: String?) {
    var literal = RemappingTableLiteral(entries, file: file)
    self = literal.table()
    problems = literal.problems.inOrder()
  }

  private var problemText: String {
    "\n" + problems.map(\.description).joined(separator: "\n\n")
  }

  /// An event's entry in a table literal: a string is the new name, a dictionary contains the rows.
  public struct Entry: Sendable, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    let name: String?
    let parameters: [(key: String, value: Row)]
    let constants: [(key: String, value: EventValue)]
    let unmapped: EventRule.Unmapped?
    let clashPolicy: EventRule.ClashPolicy?

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - name: the event's new name; `nil` keeps the old one.
    ///   - parameters: the rows by the paths of the old values, such as `screen.name` or `items[].id`.
    ///   - add: values to add to each event, by their paths.
    ///   - unmapped: the treatment of values that no row names; `nil` for that of `*`, by default to keep them.
    ///   - onClash: the value that wins a clash; `nil` for that of `*`, by default the row's.
    public init(
      name: String? = nil, parameters: KeyValuePairs<String, Row> = [:], add: KeyValuePairs<String, EventValue> = [:],
      unmapped: EventRule.Unmapped? = nil, onClash: EventRule.ClashPolicy? = nil
    ) {
      self.init(name, Array(parameters), Array(add), unmapped, onClash)
    }

    /// Creates an entry that only changes the name.
    public init(stringLiteral name: String) {
      self.init(name, [], [], nil, nil)
    }

    /// Creates an entry that only has rows.
    public init(dictionaryLiteral rows: (String, Row)...) {
      self.init(nil, rows.map { (key: $0.0, value: $0.1) }, [], nil, nil)
    }

    private init(
      _ name: String?, _ parameters: [(key: String, value: Row)], _ constants: [(key: String, value: EventValue)],
      _ unmapped: EventRule.Unmapped?, _ clashPolicy: EventRule.ClashPolicy?
    ) {
      self.name = name
      self.parameters = parameters
      self.constants = constants
      self.unmapped = unmapped
      self.clashPolicy = clashPolicy
    }
  }

  /// A row of a table literal: a string is the new path, `nil` drops the value.
  public struct Row: Sendable, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    let target: String?
    let type: ValueType?
    let values: [(key: String, value: EventValue)]?
    let fallback: EventValue?

    /// Creates a row that moves a value and optionally converts it.
    ///
    /// - Parameters:
    ///   - target: the new path.
    ///   - type: the type to convert to.
    ///   - values: new values by the text of the old ones, as described for ``ValueRule/table``.
    ///   - fallback: the default for a value that is absent, `null` or cannot be converted.
    public init(
      to target: String, type: ValueType? = nil, values: KeyValuePairs<String, EventValue>? = nil,
      default fallback: EventValue? = nil
    ) {
      self.target = target
      self.type = type
      self.values = values.map { Array($0) }
      self.fallback = fallback
    }

    /// Creates a row that moves a value unchanged.
    public init(stringLiteral target: String) {
      self.init(to: target)
    }

    /// Creates a row that drops a value.
    public init(nilLiteral: ()) {
      target = nil
      type = nil
      values = nil
      fallback = nil
    }
  }
}
