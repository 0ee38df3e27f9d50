public import DualSendCore
import SwiftParser
import SwiftSyntax

/// Functions of the sources that look as if they log, for a team that has not described its own yet.
///
/// A candidate takes a text, an enum or an event first, its name or its type's speaks of tracking, and it is called several
/// times.
public struct LoggingSuggestions: Sendable {
  /// A function that looks as if it logs.
  public struct Candidate: Sendable {
    /// With its labels, as `--calls` has it.
    public let signature: String
    /// The type that declares it; `nil` if several do, or none.
    public let type: String?
    /// What of a call is the event, as `--calls` says it.
    fileprivate let content: [String: EventValue]
    /// How often it is called.
    public fileprivate(set) var callCount = 0
    /// The first call.
    public fileprivate(set) var example: (file: String, line: Int, text: String) = ("", 0, "")
    /// Whether its first argument is more than a text, or parameters follow: a mere text may be a message for people.
    fileprivate let isLikely: Bool

    /// What `--calls` says of it.
    public var description: EventValue {
      var members = content
      members["function"] = .string(signature)
      if let type { members["type"] = .string(type) }
      return .object(members)
    }
  }

  /// The likely ones first, and of these the ones that are called most.
  public let candidates: [Candidate]

  private static let words: Set<String> = [
    "track", "tracker", "tracking", "log", "logger", "logging", "analytics", "event", "events", "pixel", "pixels",
    "telemetry", "metric", "metrics", "stat", "stats",
  ]
  private static let fewestCalls = 3
  private static let most = 20

  /// Looks through sources.
  ///
  /// - Parameter threads: how many threads read, at least 1.
  public init(_ texts: SourceTexts, threads: Int = 1) {
    let facts = Threads.map(threads, texts.paths.count) { ReadFile(texts, $0).facts }
    let index = DeclarationIndex(facts)
    let declared = Dictionary(grouping: index.all.filter { Self.mayLog($0, index) }, by: \.signature)
    var found = declared.compactMapValues { Self.candidate($0, index) }
    let names = Set(declared.values.compactMap { $0.first?.name })
    let calls = Threads.map(threads, texts.paths.count) { number -> [CallCounter.Call] in
      guard !facts[number].mentioned.isDisjoint(with: names), let text = texts.text(number) else { return [] }
      return CallCounter.calls(in: text, of: declared.mapValues { $0[0].labels })
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

/// Counts calls of some functions by name and labels.
private final class CallCounter: SyntaxVisitor {
  struct Call: Sendable {
    let signature: String
    let line: Int
    /// The call's first line.
    let text: String
  }

  private static let longestText = 120

  private let signatures: [String: [(signature: String, labels: [String])]]
  private let lines: SourceLocationConverter
  private var calls: [Call] = []

  static func calls(in text: String, of labels: [String: [String]]) -> [Call] {
    let tree = Parser.parse(source: text)
    let counter = CallCounter(labels, SourceLocationConverter(fileName: "", tree: tree))
    counter.walk(tree)
    return counter.calls
  }

  private init(_ labels: [String: [String]], _ lines: SourceLocationConverter) {
    signatures = Dictionary(grouping: labels.map { ($0.key, $0.value) }) { String($0.0.prefix { $0 != "(" }) }
      .mapValues { $0.map { (signature: $0.0, labels: $0.1) }.sorted { $0.labels.count < $1.labels.count } }
    self.lines = lines
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let called = node.calledExpression
    let name =
      called.as(MemberAccessExprSyntax.self)?.declName.baseName ?? called.as(DeclReferenceExprSyntax.self)?.baseName
    guard let name, let known = signatures[name.text] else { return .visitChildren }
    let given = node.arguments.map { $0.label?.text ?? "_" }
    guard let match = known.first(where: { Self.fits(given, $0.labels) }) else { return .visitChildren }
    let text = node.trimmedDescription.prefix { !$0.isNewline }
    calls.append(
      Call(
        signature: match.signature, line: lines.location(for: name.positionAfterSkippingLeadingTrivia).line,
        text: String(text.prefix(Self.longestText))))
    return .visitChildren
  }

  /// Whether the labels of a call are those of a function, but for defaults: the first one is always given.
  private static func fits(_ given: [String], _ labels: [String]) -> Bool {
    guard let first = given.first, first == labels.first else { return false }
    var rest = labels[...]
    for label in given {
      guard let place = rest.firstIndex(of: label) else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }
}
