package import DualSendCore
package import DualSendRemapping

/// The changes that the old logger makes to a payload before storing it.
///
/// Applied to both sides before they are compared. The old side already has the changes; applying them again has no
/// effect.
package struct Normalisation: Sendable, Hashable {
  /// How the sink stores booleans.
  package enum Booleans: String, Sendable, Hashable, CaseIterable {
    /// Unchanged.
    case keep
    /// As the integers 0 and 1.
    case zeroOne
  }

  /// What the sink does with a parameter whose name is not legal.
  package enum IllegalNames: String, Sendable, Hashable, CaseIterable {
    /// Every name is legal.
    case keep
    /// Drops the parameter.
    case drop
    /// Replaces each character outside `[A-Za-z0-9_]` with `_`, and drops a name that is still illegal.
    case replace
  }

  /// The most parameters; the first by name are kept. `nil` for no limit.
  package var maximumParameters: Int?
  /// The longest parameter name in characters; longer ones are cut. `nil` for no limit.
  package var maximumNameLength: Int?
  /// The longest string in characters; longer ones are cut. `nil` for no limit.
  package var maximumStringLength: Int?
  /// How booleans are stored.
  package var booleans = Booleans.keep
  /// What happens to names that do not match `[A-Za-z][A-Za-z0-9_]*` or that start with a reserved prefix.
  package var illegalNames = IllegalNames.keep
  /// Prefixes that make a name illegal.
  package var reservedPrefixes: [String] = []
  /// Paths of the new payload that are not compared.
  package var ignored: [KeyPathPattern] = []

  /// Creates a normalisation that changes nothing.
  package init() {}

  /// A normalisation that changes nothing.
  package static let none = Normalisation()

  /// Firebase Analytics: at most 25 parameters, names of 40 and strings of 100 characters, booleans as numbers. Drops
  /// parameters with illegal or reserved names.
  package static let firebase: Normalisation = {
    var rules = Normalisation()
    rules.maximumParameters = 25
    rules.maximumNameLength = 40
    rules.maximumStringLength = 100
    rules.booleans = .zeroOne
    rules.illegalNames = .drop
    rules.reservedPrefixes = ["firebase_", "google_", "ga_"]
    return rules
  }()

  /// The presets by their names in files and on the command line.
  package static let presets: [String: Normalisation] = ["firebase": .firebase, "none": .none]

  /// The payload as the sink stores it.
  package func apply(to payload: [String: EventValue]) -> [String: EventValue] {
    guard changesPayloads else { return payload }
    var kept: [String: EventValue] = [:]
    // Sorted by name, so that the same parameters are kept if two names become equal or there are too many.
    for (key, value) in payload.sorted(by: { String.byteOrder($0.key, $1.key) }) {
      if let maximumParameters, kept.count >= maximumParameters { break }
      guard let name = name(key), !kept.keys.contains(name) else { continue }
      kept[name] = self.value(value)
    }
    return kept
  }

  var changesPayloads: Bool {
    maximumParameters != nil || maximumNameLength != nil || maximumStringLength != nil || booleans != .keep
      || illegalNames != .keep
  }

  private func name(_ name: String) -> String? {
    var name = name
    if illegalNames == .replace {
      name = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isNameScalar ? $0 : "_" }))
    }
    if illegalNames != .keep {
      guard let first = name.unicodeScalars.first, first.isNameStart, name.unicodeScalars.allSatisfy(\.isNameScalar),
        !reservedPrefixes.contains(where: { name.utf8.starts(with: $0.utf8) })
      else { return nil }
    }
    return maximumNameLength.map { String(name.prefix($0)) } ?? name
  }

  private func value(_ value: EventValue) -> EventValue {
    switch value {
    case .bool(let flag): booleans == .zeroOne ? .int(flag ? 1 : 0) : value
    case .string(let text): maximumStringLength.map { .string(String(text.prefix($0))) } ?? value
    case .array(let elements): .array(elements.map { self.value($0) })
    case .object(let members): .object(members.mapValues { self.value($0) })
    case .null, .int, .uint, .double, .date: value
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isNameStart: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }

  fileprivate var isNameScalar: Bool {
    isNameStart || ("0"..."9").contains(self) || self == "_"
  }
}

// MARK: - Reading

extension Normalisation {
  /// Reads a normalisation file.
  ///
  /// Example: `{"formatVersion": 1, "preset": "firebase", "maximumStringLength": 200, "ignore": ["session.id"]}`. Only
  /// `formatVersion` is required. Members override the preset; `null` removes a limit.
  ///
  /// - Parameter name: the file's name for diagnostics.
  /// - Throws: all findings.
  package init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var file = NormalisationReader(reader: try DocumentReader(bytes, name: name))
    let rules = file.read()
    if file.reader.hasErrors { throw DocumentError(file.reader.diagnostics) }
    self = rules
  }

  /// The keys of a normalisation file, without `formatVersion`.
  package static let keys = [
    "preset", "maximumParameters", "maximumNameLength", "maximumStringLength", "booleans", "illegalNames",
    "reservedPrefixes", "ignore",
  ]
}

extension DocumentDiagnostic.Code {
  /// An unknown preset.
  static let unknownPreset = DocumentDiagnostic.Code(rawValue: "DS0501")
  /// A limit below 1.
  static let invalidLimit = DocumentDiagnostic.Code(rawValue: "DS0502")
  /// An unknown value of `booleans` or `illegalNames`.
  static let unknownNormalisationWord = DocumentDiagnostic.Code(rawValue: "DS0503")
  /// An invalid path in `ignore`.
  static let invalidIgnoredPath = DocumentDiagnostic.Code(rawValue: "DS0504")
}

/// Reads the members of a normalisation file.
private struct NormalisationReader {
  static let formatVersion: Int64 = 1

  var reader: DocumentReader

  mutating func read() -> Normalisation {
    guard reader.hasFormat(Self.formatVersion) else { return .none }
    let root = reader.document.root
    let known = ["$schema", "formatVersion"] + Normalisation.keys
    guard let members = reader.members(of: root, at: EventPath(), known: known) else { return .none }
    let preset = members["preset"].flatMap {
      reader.word(
        $0.value, at: EventPath([.key("preset")]), among: Normalisation.presets.keys.sorted(), code: .unknownPreset,
        kind: "preset")
    }
    var rules = preset.flatMap { Normalisation.presets[$0] } ?? .none
    for (key, limit) in [
      ("maximumParameters", \Normalisation.maximumParameters), ("maximumNameLength", \.maximumNameLength),
      ("maximumStringLength", \.maximumStringLength),
    ] {
      if let member = members[key] { rules[keyPath: limit] = self.limit(member.value, at: EventPath([.key(key)])) }
    }
    rules.booleans =
      members["booleans"].flatMap {
        reader.word($0.value, at: EventPath([.key("booleans")]), code: .unknownNormalisationWord)
      } ?? rules.booleans
    rules.illegalNames =
      members["illegalNames"].flatMap {
        reader.word($0.value, at: EventPath([.key("illegalNames")]), code: .unknownNormalisationWord)
      } ?? rules.illegalNames
    if let member = members["reservedPrefixes"] {
      rules.reservedPrefixes = strings(member).map(\.text)
    }
    if let member = members["ignore"] {
      rules.ignored = strings(member).compactMap { pattern($0.text, $0.node, $0.path) }
    }
    return rules
  }

  private mutating func limit(_ node: JSONNode, at path: EventPath) -> Int? {
    if case .null = node.content { return nil }
    guard let limit = reader.integer(node, at: path) else { return nil }
    if limit < 1 {
      reader.report(
        .invalidLimit, "a limit must be at least 1", at: node.offset, path: path, help: "write `null` for no limit")
    }
    return Int(clamping: limit)
  }

  private mutating func strings(_ member: JSONNode.Member) -> [(text: String, node: JSONNode, path: EventPath)] {
    var strings: [(text: String, node: JSONNode, path: EventPath)] = []
    for (node, path) in reader.elements(member.value, at: EventPath([.key(member.key)])) ?? [] {
      if let text = reader.string(node, at: path) { strings.append((text, node, path)) }
    }
    return strings
  }

  private mutating func pattern(_ text: String, _ node: JSONNode, _ path: EventPath) -> KeyPathPattern? {
    do {
      return try KeyPathPattern(text)
    } catch {
      reader.report(.invalidIgnoredPath, "`\(text)` is not a path: \(error)", at: node.offset, path: path)
      return nil
    }
  }
}
