import DualSendCore

/// A place in the code that logs events: one line of an inventory.
package struct CallSite: Sendable, Hashable {
  /// The file's path.
  package let file: String
  /// The line, counted from 1.
  package let line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package let column: Int
  /// The enclosing type, dotted if nested; empty if there is none.
  package let type: String
  /// The enclosing function with its labels, `didTapLike(_:)`; empty if there is none.
  package let function: String
  /// The wrapper functions between this call and the logging call, outermost first; empty for a direct call.
  package let via: [String]
  /// The unknown parts of the call, with reasons; empty if ``certainty`` is exact.
  package let open: [String]
  /// The event shapes that the call can send, sorted; empty if ``certainty`` is dynamic.
  package let events: [SentEvent]

  /// Creates a call site. The events may be in any order.
  package init(
    file: String, line: Int, column: Int, type: String = "", function: String = "", via: [String] = [],
    open: [String] = [], events: [SentEvent] = []
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.type = type
    self.function = function
    self.via = via
    self.open = open
    self.events = events.map { (order: ExactText($0.json.canonicalText), event: $0) }
      .sorted { (ExactText($0.event.name), $0.order) < (ExactText($1.event.name), $1.order) }.map(\.event)
  }

  /// How complete the analysis is.
  package var certainty: Certainty {
    events.isEmpty ? .dynamic : open.isEmpty && !events.contains { $0.isOpen || $0.isPattern } ? .exact : .partial
  }

  /// Compares the lines, byte by byte.
  package static func == (left: CallSite, right: CallSite) -> Bool { left.jsonLine.isExactly(right.jsonLine) }
}

extension CallSite: Comparable {
  /// Orders by file, line and column, then by the rest of the line.
  package static func < (left: CallSite, right: CallSite) -> Bool {
    if !left.file.isExactly(right.file) { return String.byteOrder(left.file, right.file) }
    if (left.line, left.column) != (right.line, right.column) {
      return (left.line, left.column) < (right.line, right.column)
    }
    return String.byteOrder(left.jsonLine, right.jsonLine)
  }
}

// MARK: - JSON

extension CallSite {
  /// The call site as one line of canonical JSON, without a line feed.
  package var jsonLine: String { json.canonicalText }

  var json: EventValue {
    .object([
      "certainty": .string(certainty.rawValue), "file": .string(file), "line": .int(Int64(line)),
      "column": .int(Int64(column)), "type": .string(type), "function": .string(function),
      "via": .array(via.map { .string($0) }), "open": .array(open.map { .string($0) }),
      "events": .array(events.map(\.json)),
    ])
  }

  /// Reads ``json``. A member that has another form gets a value that is written differently.
  init(json: EventValue) {
    self.init(
      file: json["file"].text, line: json["line"].count, column: json["column"].count, type: json["type"].text,
      function: json["function"].text, via: json["via"].elements.map(\.text), open: json["open"].elements.map(\.text),
      events: json["events"].elements.map(SentEvent.init(json:)))
  }
}

/// The parts of a line of an inventory; a part of another form is empty.
extension EventValue {
  subscript(key: String) -> EventValue { value(at: EventPath([.key(key)])) ?? .null }

  var text: String { if case .string(let text) = self { text } else { "" } }

  var elements: [EventValue] { if case .array(let elements) = self { elements } else { [] } }

  /// A number of at least 1.
  fileprivate var count: Int { if case .int(let number) = self { max(1, Int(clamping: number)) } else { 1 } }
}

/// How complete the analysis of a call site is.
package enum Certainty: String, Sendable, Hashable, CaseIterable {
  /// All names and keys, at every depth, that the call can send are listed, and none that constants exclude.
  case exact
  /// Names or keys are listed, but something is unknown; see ``CallSite/open``.
  case partial
  /// No name could be determined; see ``CallSite/open``.
  case dynamic
}
