package import DualSendCore
import SwiftParser
import SwiftSyntax

/// Finds functions that probably log, for a team that has not described its own functions yet.
///
/// A candidate takes a text, an enum or an event, has a name or a type that refers to tracking, and is called several times.
/// Of functions that call each other only the deepest is one, because an inventory follows the others by itself. A function
/// of an SDK is one where no candidate calls it.
package struct LoggingSuggestions: Sendable {
  /// A function that probably logs.
  package struct Candidate: Sendable {
    let name: String
    let labels: [String]
    /// The type that declares it; `nil` if several do, or none.
    package let type: String?
    /// The arguments that have the event, in the form of `--calls`.
    let content: [String: EventValue]
    /// How often it is called.
    public fileprivate(set) var callCount = 0
    /// The first call.
    public fileprivate(set) var example: (file: String, line: Int, text: String) = ("", 0, "")
    /// Whether it takes more than a text: a text alone may be a diagnostic message.
    let isLikely: Bool
    /// Whether it logs another text than it is called with, so that its description would be wrong.
    var changesText = false

    /// The name with its labels, in the form of `--calls`.
    package var signature: String { name + "(" + labels.map { $0 + ":" }.joined() + ")" }

    /// The description in the form of `--calls`.
    package var description: EventValue {
      var members = content
      members["function"] = .string(signature)
      if let type { members["type"] = .string(type) }
      return .object(members)
    }
  }

  /// The candidates, the likely ones first, then by number of calls.
  package let candidates: [Candidate]
  /// The signatures of functions that log another text than they are called with, sorted.
  package let changing: [String]

  private static let fewestCalls = 3
  private static let most = 20
  private static let longestText = 120

  /// Searches sources.
  ///
  /// - Parameter threads: how many threads read, at least 1.
  package init(_ texts: SourceTexts, threads: Int = 1) {
    let facts = Threads.map(threads, texts.paths.count) { ReadFile(texts, $0).facts }
    let index = DeclarationIndex(facts, paths: texts.paths)
    let units = UnitStore(texts)
    let named = index.all.filter { $0.kind == .function && TrackingWords.refer($0.name, $0.owner) }
    let declared = Dictionary(grouping: named, by: \.signature)
      .compactMapValues { Candidate($0, index, units) }
    let mentioned = facts.reduce(into: Set<String>()) { all, one in
      all.formUnion(one.mentioned.filter { TrackingWords.refer($0) })
    }
    let names = mentioned.union(declared.values.map(\.name))
    let byFile = Threads.map(threads, texts.paths.count) { number -> [Call] in
      guard !facts[number].mentioned.isDisjoint(with: names), let text = texts.text(number) else { return [] }
      return Self.calls(in: text, file: number, of: declared, names, index)
    }
    let calls = byFile.flatMap { $0 }
    let own = Dictionary(grouping: calls.filter(\.isDeclared), by: \.signature)
    // A function that hands its arguments on to another candidate is followed.
    let callers = Set(own.values.flatMap { $0 }.filter { $0.caller != $0.signature }.compactMap(\.caller))
    let deepest = declared.filter { !callers.contains($0.key) && !Self.areMessages(own[$0.key] ?? []) }
    let accepted = deepest.filter { !$0.value.changesText && Self.isEnough(own[$0.key] ?? []) }
    let foreign = Self.foreign(calls.filter { !$0.isDeclared && $0.around.map { accepted[$0] == nil } ?? true })
    changing = deepest.filter { $0.value.changesText && Self.isEnough(own[$0.key] ?? []) }.keys.sorted()
    let all =
      accepted.map { Self.candidate($0.value, own[$0.key] ?? [], texts) }
      + foreign.map { Self.candidate($0.candidate, $0.calls, texts) }
    candidates = Array(
      all.sorted {
        ($0.isLikely ? 0 : 1, -$0.callCount, $0.signature) < ($1.isLikely ? 0 : 1, -$1.callCount, $1.signature)
      }
      .prefix(Self.most))
  }

  private static func candidate(_ found: Candidate, _ calls: [Call], _ texts: SourceTexts) -> Candidate {
    var candidate = found
    candidate.callCount = calls.count
    if let first = calls.first { candidate.example = (texts.paths[first.file], first.line, first.text) }
    return candidate
  }

  // MARK: calls

  private struct Call: Sendable {
    let signature: String
    let file: Int
    let line: Int
    let text: String
    /// Whether these sources declare the function.
    let isDeclared: Bool
    /// The enclosing function.
    let around: String?
    /// The enclosing function, if it hands one of its arguments on.
    let caller: String?
    /// Whether it has a sentence with values in it.
    let isMessage: Bool
    /// What a function of an SDK takes.
    var foreign: Candidate?
  }

  /// Whether a function is called often, or logs for others.
  private static func isEnough(_ calls: [Call]) -> Bool {
    calls.count >= fewestCalls || calls.contains { $0.caller != nil }
  }

  private static func areMessages(_ calls: [Call]) -> Bool { calls.count(where: \.isMessage) * 2 > calls.count }

  /// The functions of SDKs. A call with all arguments stands for those that omit some.
  private static func foreign(_ calls: [Call]) -> [(candidate: Candidate, calls: [Call])] {
    let bySignature = Dictionary(grouping: calls, by: \.signature)
    let known = bySignature.values.compactMap { $0.first?.foreign }
    return known.compactMap { one in
      let others = known.filter { $0.name == one.name && $0.labels != one.labels }
      guard !others.contains(where: { $0.labels.contains(one.labels) }) else { return nil }
      let omitting = others.filter { one.labels.contains($0.labels) }.map(\.signature)
      let all = ([one.signature] + omitting).flatMap { bySignature[$0] ?? [] }
      return isEnough(all) && !areMessages(all) ? (one, all) : nil
    }
  }

  /// The calls of functions by name and labels: defaults may be left out, but not the first argument.
  private static func calls(
    in text: String, file: Int, of declared: [String: Candidate], _ names: Set<String>,
    _ index: DeclarationIndex
  ) -> [Call] {
    let tree = Parser.parse(source: text)
    let lines = SourceLocationConverter(fileName: "", tree: tree)
    return tree.calls(of: names).compactMap { call in
      guard let name = call.calledName, let first = call.labels.first else { return nil }
      let own = index.functions(name.identifierText).map { index[$0] }
        .filter { $0.labels.first == first && $0.labels.contains(call.labels) }
        .min { ($0.labels.count, $0.signature) < ($1.labels.count, $1.signature) }
      let foreign = own == nil ? call.foreignCandidate : nil
      guard let signature = own.map(\.signature) ?? foreign?.signature, own == nil || declared[signature] != nil
      else { return nil }
      let function = Syntax(call).root.as(FunctionDeclSyntax.self)
      let around = function.map { $0.name.identifierText + "(" + $0.signature.labelText + ")" }
      let handed = Set(function?.declaredParameters.map(\.name) ?? [])
      let isHandedOn = !handed.isDisjoint(with: call.arguments.mentionedNames)
      return Call(
        signature: signature, file: file,
        line: lines.location(for: name.positionAfterSkippingLeadingTrivia).line,
        text: String(call.trimmedDescription.prefix { !$0.isNewline }.prefix(longestText)), isDeclared: own != nil,
        around: around, caller: isHandedOn ? around : nil,
        isMessage: call.arguments.contains { $0.expression.isMessage }, foreign: foreign)
    }
  }
}

extension FunctionCallExprSyntax {
  private static let parameterWords: Set = [
    "parameters", "params", "properties", "attributes", "payload", "segmentation", "metadata", "userinfo", "extras",
  ]
  private static let eventWords: Set = ["event", "events", "name", "action"]

  /// What a function of an SDK takes, by the labels of a call; `nil` if it probably logs no event.
  fileprivate var foreignCandidate: LoggingSuggestions.Candidate? {
    // An initializer makes an event, and logs none.
    guard trailingClosure == nil, let called = calledName?.identifierText, called.first?.isUppercase == false else {
      return nil
    }
    func words(_ place: Int) -> Set<String> { Set(TrackingWords.words(labels[place])) }
    let places = Array(labels.indices)
    guard !places.contains(where: { !words($0).isDisjoint(with: TrackingWords.ofMessages) }),
      let name = places.first(where: { labels[$0] == "_" || !words($0).isDisjoint(with: Self.eventWords) })
    else { return nil }
    let parameters = places.first { place in
      place != name
        && (!words(place).isDisjoint(with: Self.parameterWords)
          || Array(arguments)[place].expression.is(DictionaryExprSyntax.self))
    }
    let isTracking = !Set(TrackingWords.words(called)).isDisjoint(with: ["track", "event", "events", "pixel"])
    guard parameters != nil || isTracking || labels[name] == "event" else { return nil }
    var content: [String: EventValue] = ["name": .int(Int64(name))]
    content["parameters"] = parameters.map { .int(Int64($0)) }
    return .init(name: called, labels: labels, type: nil, content: content, isLikely: parameters != nil)
  }
}

extension ExprSyntax {
  /// Whether it is a sentence with values in it, for people to read.
  fileprivate var isMessage: Bool {
    guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count > 1 else { return false }
    return literal.segments.contains { $0.as(StringSegmentSyntax.self)?.content.text.contains(" ") == true }
  }
}

/// The words of names that refer to tracking.
enum TrackingWords {
  private static let tracking: Set<String> = [
    "track", "tracker", "tracking", "log", "logger", "logging", "analytics", "event", "events", "pixel", "pixels",
    "telemetry", "metric", "metrics", "stat", "stats",
  ]
  /// The words of functions that log messages for people.
  static let ofMessages: Set<String> = [
    "message", "msg", "level", "severity", "debug", "info", "warning", "warn", "error", "trace", "verbose", "notice",
    "critical", "fault", "format", "line",
  ]

  static func refer(_ names: String...) -> Bool { names.contains { !tracking.isDisjoint(with: words($0)) } }

  /// The lower-case words of a name.
  static func words(_ name: String) -> [String] {
    name.split { !$0.isLetter }.flatMap { TextRule.snake.text(String($0)).split(separator: "_").map(String.init) }
  }
}
