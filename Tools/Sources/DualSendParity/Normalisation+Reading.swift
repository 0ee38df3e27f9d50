package import DualSendCore
import DualSendRemapping

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
