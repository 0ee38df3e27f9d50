public import DualSendCore
import SwiftParser
import SwiftSyntax

/// Finds functions that probably log, for a team that has not described its own functions yet.
///
/// A candidate has a text, an enum or an event as its first argument, has a name or a type that refers to tracking, and
/// is called several times.
public struct LoggingSuggestions: Sendable {
  /// A function that probably logs.
  public struct Candidate: Sendable {
    /// The name with its labels, in the form of `--calls`.
    public let signature: String
    /// The type that declares it; `nil` if several do, or none.
    public let type: String?
    /// The arguments that have the event, in the form of `--calls`.
    fileprivate let content: [String: EventValue]
    /// How often it is called.
    public fileprivate(set) var callCount = 0
    /// The first call.
    public fileprivate(set) var example: (file: String, line: Int, text: String) = ("", 0, "")
    /// Whether its first argument is more than a text, or parameters follow: a text alone may be a diagnostic message.
    fileprivate let isLikely: Bool

    /// The description in the form of `--calls`.
    public var description: EventValue {
      var members = content
      members["function"] = .string(signature)
      if let type { members["type"] = .string(type) }
      return .object(members)
    }
  }

  /// The candidates, the likely ones first, then by number of calls.
  public let candidates: [Candidate]

  private static let words: Set<String> = [
    "track", "tracker", "tracking", "log", "logger", "logging", "analytics", "event", "events", "pixel", "pixels",
    "telemetry", "metric", "metrics", "stat", "stats",
  ]
  private static let fewestCalls = 3
  private static let most = 20
  private static let longestText = 120

  /// Searches sources.
  ///
  /// - Parameter threads: how many threads read, at least 1.
  public init(_ texts: SourceTexts, threads: Int = 1) {
    let facts = Threads.map(threads, texts.paths.count) { ReadFile(texts, $0).facts }
    let index = DeclarationIndex(facts)
    let declared = Dictionary(grouping: index.all.filter { Self.mayLog($0, index) }, by: \.signature)
    var found = declared.compactMapValues { Self.candidate($0, index) }
    let functions = Dictionary(grouping: declared.values.map { $0[0] }, by: \.name)
      .mapValues { $0.sorted { ($0.labels.count, $0.signature) < ($1.labels.count, $1.signature) } }
    let calls = Threads.map(threads, texts.paths.count) { number -> [Call] in
      guard !facts[number].mentioned.isDisjoint(with: functions.keys), let text = texts.text(number) else { return [] }
      return Self.calls(in: text, of: functions)
    }
    for (number, calls) in calls.enumerated() {
      for call in calls {
        if found[call.signature]?.callCount == 0 {
          found[call.signature]?.example = (texts.paths[number], call.line, call.text)
        }
        found[call.signature]?.callCount += 1
      }
    }
    candidates = Array(
      found.values.filter { $0.callCount >= Self.fewestCalls }
        .sorted {
          ($0.isLikely ? 0 : 1, -$0.callCount, $0.signature) < ($1.isLikely ? 0 : 1, -$1.callCount, $1.signature)
        }
        .prefix(Self.most))
  }

  private typealias Call = (signature: String, line: Int, text: String)

  /// The calls of functions by name and labels: defaults may be left out, but not the first argument.
  private static func calls(in text: String, of functions: [String: [Declaration]]) -> [Call] {
    let tree = Parser.parse(source: text)
    let finder = CandidateFinder(Set(functions.keys))
    finder.walk(tree)
    let lines = SourceLocationConverter(fileName: "", tree: tree)
    return finder.calls.compactMap { call in
      guard let name = call.calledName, let first = call.labels.first else { return nil }
      let function = functions[name.identifierText]?.first {
        $0.labels.first == first && $0.labels.contains(call.labels)
      }
      return function.map { function in
        let line = call.trimmedDescription.prefix { !$0.isNewline }
        return (
          function.signature, lines.location(for: name.positionAfterSkippingLeadingTrivia).line,
          String(line.prefix(longestText))
        )
      }
    }
  }

  private static func mayLog(_ declaration: Declaration, _ index: DeclarationIndex) -> Bool {
    guard declaration.kind == .function, let first = declaration.parameters.first else { return false }
    let words = camelWords(declaration.name) + camelWords(declaration.owner)
    return !Self.words.isDisjoint(with: words)
      && (isText(first.type) || isEvent(first.type, of: declaration, index))
  }

  private static func isText(_ type: String) -> Bool {
    ["String", "StaticString"].contains(DeclarationIndex.plain(type))
  }

  /// Whether a type is an enum, or its name says that it is an event.
  private static func isEvent(_ type: String, of function: Declaration, _ index: DeclarationIndex) -> Bool {
    let plain = DeclarationIndex.plain(type)
    if ["event", "events", "pixel", "stat"].contains(camelWords(plain).last ?? "") { return true }
    guard let reference = index.type(plain, in: function.owner, file: function.file) else { return false }
    return index.declaration(of: reference)?.kind == .enumeration
  }

  private static func candidate(_ declared: [Declaration], _ index: DeclarationIndex) -> Candidate? {
    guard let first = declared.first, let name = first.parameters.first else { return nil }
    let position = first.parameters.indices.dropFirst().first { number in
      first.parameters[number].type.dictionaryTypes != nil
    }
    let parameters = position.map { position -> EventValue in
      let label = first.parameters[position].label
      return label == "_" ? .int(Int64(position)) : .string(label)
    }
    var content: [String: EventValue] = ["name": 0]
    if let parameters {
      content["parameters"] = parameters
    } else if let event = eventProperties(of: name.type, in: first, index) {
      content = ["event": 0]
      content.merge(event) { _, property in property }
    }
    let owners = Set(declared.map(\.owner))
    return Candidate(
      signature: first.signature, type: owners.count == 1 && !first.owner.isEmpty ? first.owner : nil,
      content: content, isLikely: parameters != nil || !isText(name.type))
  }

  /// The properties that hold the name and the parameters of an event's own type; `nil` if it is a text or an enum.
  private static func eventProperties(
    of type: String, in function: Declaration, _ index: DeclarationIndex
  ) -> [String: EventValue]? {
    guard let reference = index.type(type, in: function.owner, file: function.file),
      let declared = index.declaration(of: reference), declared.kind != .enumeration
    else { return nil }
    let properties = index.properties(of: reference).map { index[$0] }.filter { !$0.isStatic }
    let name = properties.first { isText($0.type ?? "") }
    let parameters = properties.first { $0.type?.dictionaryTypes != nil }
    return ["nameProperty": name, "parametersProperty": parameters].compactMapValues { $0.map { .string($0.name) } }
  }

  /// The lower-case words of a name.
  private static func camelWords(_ name: String) -> [String] {
    name.split { !$0.isLetter }.flatMap { part -> [String] in
      var words: [String] = []
      for character in part {
        if character.isUppercase || words.isEmpty { words.append("") }
        words[words.count - 1].append(contentsOf: character.lowercased())
      }
      return words
    }
  }
}
