public import DualSendCore

/// A table written in Swift, in the words of the JSON document.
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
/// The literal becomes the document that ``json`` gives, and is read and checked as that document is. A row that the
/// checks refuse is left out, so that its value keeps its old name; ``problems`` names the row and the reason. A debug
/// build also stops at it: the mistake is in the source, and the first run shows it. A release build never stops.
extension RemappingTable: ExpressibleByDictionaryLiteral {
  /// Creates a table from an entry for each event; the entry of `*` is for every event.
  public init(dictionaryLiteral entries: (String, Entry)...) {
    self.init(literal: entries, file: nil)
    assert(problems.isEmpty, problemText)
  }

  /// Creates a table from an entry for each event; ``problems`` and the debug build name the file it is written in.
  public init(_ entries: KeyValuePairs<String, Entry>, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(literal: entries.map { ($0.key, $0.value) }, file: "\(fileID)")
    assert(problems.isEmpty, problemText, file: fileID, line: line)
  }

  /// The same without the debug build's assertion.
  init(literal entries: [(String, Entry)], file: String?) {
    var literal = RemappingTableLiteral(entries, file: file)
    self = literal.table()
    problems = literal.problems.sorted()
  }

  private var problemText: String {
    "\n" + problems.map(\.description).joined(separator: "\n\n")
  }

  /// What a table literal says about one event: a text is its new name, a dictionary holds its rows.
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
    ///   - add: values that each event gets, by their paths.
    ///   - unmapped: what happens to values that no row names; `nil` leaves it to `*`, and without one keeps them.
    ///   - onClash: which value stays when two want one place; `nil` leaves it to `*`, and without one it is the row's.
    public init(
      name: String? = nil, parameters: KeyValuePairs<String, Row> = [:], add: KeyValuePairs<String, EventValue> = [:],
      unmapped: EventRule.Unmapped? = nil, onClash: EventRule.ClashPolicy? = nil
    ) {
      self.init(name, Array(parameters), Array(add), unmapped, onClash)
    }

    /// Creates an entry that changes the name alone.
    public init(stringLiteral name: String) {
      self.init(name, [], [], nil, nil)
    }

    /// Creates an entry that has rows alone.
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

  /// What a table literal says about one value: a text is its new path, `nil` leaves it out.
  public struct Row: Sendable, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    let target: String?
    let type: ValueType?
    let values: [(key: String, value: EventValue)]?
    let fallback: EventValue?

    /// Creates a row that moves a value and may change it.
    ///
    /// - Parameters:
    ///   - target: the new path.
    ///   - type: the type to convert to.
    ///   - values: new values by the text of the old ones, as ``ValueRule/table`` describes it.
    ///   - fallback: what stands in for a value that is absent, `null` or cannot be converted.
    public init(
      to target: String, type: ValueType? = nil, values: KeyValuePairs<String, EventValue>? = nil,
      default fallback: EventValue? = nil
    ) {
      self.target = target
      self.type = type
      self.values = values.map { Array($0) }
      self.fallback = fallback
    }

    /// Creates a row that moves a value as it is.
    public init(stringLiteral target: String) {
      self.init(to: target)
    }

    /// Creates a row that leaves a value out.
    public init(nilLiteral: ()) {
      target = nil
      type = nil
      values = nil
      fallback = nil
    }
  }
}
