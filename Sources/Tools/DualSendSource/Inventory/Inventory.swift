package import DualSendCore

/// All places in some code that log events, with what they can send.
///
/// Stored as JSON lines, one for each call site, sorted by place. Deterministic for the same code.
package struct Inventory: Sendable, Hashable {
  /// The call sites, sorted by place.
  package let callSites: [CallSite]

  /// Creates an inventory. The call sites may be in any order.
  package init(_ callSites: some Sequence<CallSite>) {
    self.callSites = callSites.sorted()
  }

  /// Reads an inventory. The lines may be in any order; empty lines are skipped.
  ///
  /// - Parameters:
  ///   - bytes: JSON lines in UTF-8.
  ///   - name: the file's name for findings.
  /// - Throws: the findings, at most 100. An invalid inventory is rejected as a whole, because an incomplete one would
  ///   hide call sites.
  package init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = InventoryReader(name: name)
    reader.read(Array(bytes))
    let findings = reader.findings
    if !findings.isEmpty { throw DocumentError(findings) }
    self.init(reader.callSites)
  }

  /// The inventory as canonical JSON, one line for each call site.
  package var jsonLines: String {
    callSites.map { $0.jsonLine + "\n" }.joined()
  }
}

// MARK: - Inventory reader

/// Reads the lines of an inventory, and collects all findings.
struct InventoryReader {
  private let name: String?
  private(set) var callSites: [CallSite] = []
  private var found = BoundedFindings()

  init(name: String?) {
    self.name = name
  }

  var findings: [DocumentDiagnostic] { found.diagnostics }

  mutating func read(_ bytes: [UInt8]) {
    let mark = bytes.starts(with: SourceText.byteOrderMark) ? SourceText.byteOrderMark.count : 0
    let lines = bytes[mark...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      read(line, number: index + 1)
    }
  }

  /// A line is valid if the call site that it gives is written as this line.
  private mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
    var reader: DocumentReader
    do { reader = try DocumentReader(line, name: name) } catch { return keep(error.diagnostics, of: number) }
    let root = reader.document.root
    let (given, callSite) = (root.eventValue, CallSite(json: root.eventValue))
    guard let key = given.difference(from: callSite.json) else { return callSites.append(callSite) }
    var offset = root.offset
    if case .object(let members) = root.content, let member = members.first(where: { $0.key == key }) {
      offset = member.value.offset
    }
    reader.report(
      .invalidCallSite, "`\(key)` is missing, or not what an inventory writes", at: offset,
      path: EventPath([.key(key)]), help: "make the inventory again")
    keep(reader.diagnostics, of: number)
  }

  private mutating func keep(_ diagnostics: [DocumentDiagnostic], of line: Int) {
    for diagnostic in diagnostics.sorted() { found.report(diagnostic.onLine(line)) }
  }
}

extension EventValue {
  /// The first key of which two objects have different values; `nil` if they are equal.
  fileprivate func difference(from other: EventValue) -> String? {
    let keys = [self, other].flatMap { if case .object(let members) = $0 { Array(members.keys) } else { [String]() } }
    return keys.filter { key in
      let path = EventPath([.key(key)])
      return value(at: path) != other.value(at: path)
    }.min(by: String.byteOrder)
  }
}

extension DocumentDiagnostic.Code {
  /// A line of an inventory is not a valid call site.
  static let invalidCallSite = DocumentDiagnostic.Code(rawValue: "DS1001")
}

extension DocumentDiagnostic {
  /// The finding about one line, with its position in the file.
  fileprivate func onLine(_ line: Int) -> DocumentDiagnostic {
    DocumentDiagnostic(
      severity, code, message, file: file,
      position: DocumentDiagnostic.Position(line: line, column: position?.column ?? 1), path: path, notes: notes,
      help: help)
  }
}

// MARK: - Sent event

/// One shape of an event that a call site can send.
package struct SentEvent: Sendable, Hashable {
  /// The event's old name, or a pattern of names.
  package let name: String
  /// Whether the name is a pattern: `*` matches any text; `\*` and `\\` match the character itself.
  package let isPattern: Bool
  /// Whether keys may be sent that are not listed.
  package let isOpen: Bool
  /// The leaves and empty containers, sorted by key, without duplicates.
  package let parameters: [SentParameter]

  /// Creates an event. The parameters may be in any order; those with the same key are merged.
  package init(name: String, isPattern: Bool = false, isOpen: Bool = false, parameters: [SentParameter] = []) {
    self.name = name
    self.isPattern = isPattern
    self.isOpen = isOpen
    let byKey = Dictionary(grouping: parameters) { ExactText($0.key) }
    self.parameters = byKey.sorted { $0.key < $1.key }.map { _, all in
      .either(all, isOptional: all.contains(where: \.isOptional))
    }
  }

  /// Compares all properties. Texts are equal if their UTF-8 bytes are.
  package static func == (left: SentEvent, right: SentEvent) -> Bool {
    left.json.canonicalText.isExactly(right.json.canonicalText)
  }

  /// Whether the name is equal or matches the pattern.
  package func mayBeNamed(_ name: String) -> Bool {
    isPattern ? NamePattern(self.name)?.matches(name) ?? true : self.name.isExactly(name)
  }
}

extension SentEvent {
  var json: EventValue {
    var members: [String: EventValue] = [
      "name": .string(name), "open": .bool(isOpen), "parameters": .array(parameters.map(\.json)),
    ]
    if isPattern { members["isPattern"] = true }
    return .object(members)
  }

  init(json: EventValue) {
    self.init(
      name: json["name"].text, isPattern: json["isPattern"] == true, isOpen: json["open"] == true,
      parameters: json["parameters"].elements.map(SentParameter.init(json:)))
  }
}

// MARK: - Name pattern

/// A pattern of event names: `*` matches any text; `\*` and `\\` match the character itself.
struct NamePattern {
  /// The literal parts between the `*`.
  private var parts: [[UInt8]] = [[]]

  /// - Returns: `nil` if a backslash precedes another character or is at the end.
  init?(_ text: String) {
    var isEscaped = false
    for byte in text.utf8 {
      let isSpecial = byte == UInt8(ascii: "*") || byte == UInt8(ascii: "\\")
      if isEscaped, !isSpecial { return nil }
      if isEscaped || !isSpecial {
        parts[parts.count - 1].append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "*") {
        parts.append([])
      } else {
        isEscaped = true
      }
    }
    if isEscaped { return nil }
  }

  /// Whether the pattern matches a whole name. Matches each part as early as possible.
  func matches(_ name: String) -> Bool {
    var rest = Array(name.utf8)[...]
    guard let first = parts.first, let last = parts.last, rest.starts(with: first) else { return false }
    if parts.count == 1 { return rest.count == first.count }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else { return false }
      rest = rest[(start + part.count)...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }
}
