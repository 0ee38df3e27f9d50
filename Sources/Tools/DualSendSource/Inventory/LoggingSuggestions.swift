package import DualSendCore
import SwiftParser
import SwiftSyntax

/// Lists the functions that may log, each with the number of its calls and its description for `--calls`.
///
/// Listed is each function with a name and a dictionary, each one with a name or an event that calls a logging SDK, and
/// each function of an SDK that is called. What logs for people is among them: which of them log events is for a person to say.
package struct LoggingSuggestions: Sendable {
  /// A function that may log.
  package struct Candidate: Sendable {
    /// The name with its labels.
    package let signature: String
    /// The description in the form of `--calls`.
    package let description: EventValue
    /// How often it is called.
    package fileprivate(set) var callCount = 0
    /// The first call.
    package fileprivate(set) var example: (file: String, line: Int, text: String) = ("", 0, "")

    fileprivate init(_ signature: String, _ content: [String: EventValue]) {
      self.signature = signature
      description = .object(content.merging(["function": .string(signature)]) { $1 })
    }
  }

  /// The candidates, by the number of their calls.
  package let candidates: [Candidate]

  private static let longestText = 80

  /// Searches sources.
  ///
  /// - Parameter threads: how many threads read, at least 1.
  package init(_ texts: SourceTexts, threads: Int = 1) {
    let facts = Threads.map(threads, texts.paths.count) { ReadFile(texts, $0).facts }
    let index = DeclarationIndex(facts, paths: texts.paths)
    let declared = Dictionary(grouping: index.all.filter { $0.kind == .function }, by: \.signature)
      .compactMapValues { Candidate($0, index) }
    let names = Set(declared.values.map { String($0.signature.prefix { $0 != "(" }) })
    let calls = Threads.map(threads, texts.paths.count) { number -> [Call] in
      let isRelevant = facts[number].mentioned.contains { names.contains($0) || $0.refersToTracking }
      guard isRelevant, let text = texts.text(number) else { return [] }
      return Self.calls(in: text, texts.paths[number], declared, index)
    }.flatMap { $0 }
    let reaching = Set(calls.filter(\.isForeign).compactMap(\.around))
    let logging = calls.filter { call in
      call.isForeign || call.called.description["parameters"] != .null || reaching.contains(call.called.signature)
    }
    candidates = Dictionary(grouping: logging.map(\.called), by: \.signature).values.map { all in
      var candidate = all[0]
      candidate.callCount = all.count
      return candidate
    }.sorted { (-$0.callCount, $0.signature) < (-$1.callCount, $1.signature) }
  }

  /// A call, the function around it, and whether it is one of a function of an SDK.
  private typealias Call = (called: Candidate, around: String?, isForeign: Bool)

  /// The calls of functions by name and labels; defaults may be left out, but not the first argument.
  private static func calls(
    in text: String, _ path: String, _ declared: [String: Candidate], _ index: DeclarationIndex
  ) -> [Call] {
    let tree = Parser.parse(source: text)
    let lines = SourceLocationConverter(fileName: "", tree: tree)
    return tree.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let name = call.calledName, let first = call.labels.first else { return nil }
      let all = index.functions(name.identifierText)
      let own = all.map { index[$0] }.filter { $0.labels.first == first && $0.labels.contains(call.labels) }
        .min { ($0.labels.count, $0.signature) < ($1.labels.count, $1.signature) }
      guard var called = own.flatMap({ declared[$0.signature] }) ?? (all.isEmpty ? Candidate(sdk: call) : nil) else {
        return nil
      }
      let line = lines.location(for: name.positionAfterSkippingLeadingTrivia).line
      called.example = (path, line, String(call.trimmedDescription.prefix { !$0.isNewline }.prefix(longestText)))
      let function = Syntax(call).root.as(FunctionDeclSyntax.self)
      return (called, function.map { $0.name.identifierText + "(" + $0.signature.labelText + ")" }, all.isEmpty)
    }
  }
}

extension LoggingSuggestions.Candidate {
  /// - Parameter declared: all functions with the same name and labels.
  /// - Returns: `nil` if they take no text, enum or event.
  fileprivate init?(_ declared: [Declaration], _ index: DeclarationIndex) {
    guard let one = declared.first else { return nil }
    let types = one.parameters.map { DeclarationIndex.plain($0.type) }
    func declaration(_ place: Int) -> Declaration? {
      index.type(types[place], in: one.owner, file: one.file).flatMap(index.declaration)
    }
    func isText(_ place: Int) -> Bool {
      ["String", "StaticString"].contains(types[place]) || declaration(place)?.kind == .enumeration
    }
    let parameters = types.indices.first { one.parameters[$0].type.dictionaryTypes != nil }
    let event = types.indices.first { place in
      place != parameters && (isText(place) || parameters == nil && declaration(place) != nil)
    }
    guard let event else { return nil }
    var content: [String: EventValue] = [isText(event) ? "name" : "event": .int(Int64(event))]
    content["parameters"] = parameters.map { .int(Int64($0)) }
    if !isText(event), let type = index.type(types[event], in: one.owner, file: one.file) {
      let all = index.properties(of: type).map { index[$0] }.filter { !$0.isStatic }
      let name = all.filter { $0.type == "String" }.min { $0.name.contains("ame") && !$1.name.contains("ame") }
      content["nameProperty"] = name.map { .string($0.name) }
      content["parametersProperty"] = all.first { $0.type?.dictionaryTypes != nil }.map { .string($0.name) }
    }
    if Set(declared.map(\.owner)).count == 1, !one.owner.isEmpty { content["type"] = .string(one.owner) }
    self.init(one.signature, content)
  }

  /// What a function of an SDK takes, by the labels of a call; `nil` if it probably logs no event.
  fileprivate init?(sdk call: FunctionCallExprSyntax) {
    let places = Array(call.arguments)
    guard let name = call.calledName?.identifierText, name.first?.isUppercase == false, call.trailingClosure == nil,
      name.refersToTracking || call.receiver?.rootName?.refersToTracking == true
    else { return nil }
    let parameters = places.indices.dropFirst().first { place in
      places[place].expression.is(DictionaryExprSyntax.self)
        || ["arameters", "roperties", "ttributes"].contains { places[place].label?.text.hasSuffix($0) == true }
    }
    guard parameters != nil || name.refersToTracking else { return nil }
    var content: [String: EventValue] = ["name": 0]
    content["parameters"] = parameters.map { .int(Int64($0)) }
    self.init(name + "(" + call.labels.map { $0 + ":" }.joined() + ")", content)
  }
}

extension String {
  private static let trackingWords: Set<String> = [
    "track", "tracker", "tracking", "log", "logger", "logging", "analytics", "event", "events", "pixel", "pixels",
    "telemetry", "metric", "metrics", "stat", "stats",
  ]

  /// Whether a word of the name refers to tracking.
  fileprivate var refersToTracking: Bool {
    let words = split { !$0.isLetter }.flatMap { TextRule.snake.text(String($0)).split(separator: "_") }
    return !Self.trackingWords.isDisjoint(with: words.map(String.init))
  }
}
