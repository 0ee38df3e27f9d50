import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRollout

/// The names, versions, platforms and attributes in a file of events.
struct TrafficSample {
  /// A bounded set of texts.
  struct Texts {
    /// With more texts than this, the set is incomplete and proves no absence.
    private static let maximum = 100_000

    private(set) var all: Set<ExactText> = []
    /// Whether the set is complete and not empty, so that an absent text was not seen.
    private(set) var isComplete = false

    mutating func insert(_ text: String) {
      guard isComplete || all.isEmpty else { return }
      all.insert(ExactText(text))
      isComplete = all.count <= Self.maximum
    }
  }

  private(set) var events = Texts()
  /// Whether every line of the file is an event, and there is one.
  private(set) var isClean = true
  /// By what a rule can ask for; not versions, which are compared.
  private(set) var values: [ContextKey: Texts] = [:]
  private(set) var versions: Set<DecisionContext.AppVersion> = []

  init() {}

  /// Reads a file of legacy events, and reports its malformed lines.
  ///
  /// - Parameter path: `-` for standard input.
  init(reading path: String, _ oldFormat: OldFormatOption, on terminal: Terminal, format: OutputFormat) throws {
    var sample = TrafficSample()
    var lines = try LegacyLines(path, oldFormat, input: terminal.input)
    try lines.forEach("read", on: terminal) { line in
      sample.add(line.event.name, context: line.context(besides: DecisionContext()))
    }
    lines.reportMalformed(on: terminal, format: format)
    sample.isClean = lines.isClean
    self = sample
  }

  mutating func add(_ event: String, context: DecisionContext) {
    events.insert(event)
    if let version = context.appVersion { versions.insert(version) }
    for property in ContextProperty.ofApp {
      if let text = context[property] { values[.property(property), default: Texts()].insert(text) }
    }
    for (key, value) in context.attributes { values[.attribute(key), default: Texts()].insert(value) }
  }
}

extension LegacyLines.Line {
  /// The text of the line's app version, if apps cannot read one from it, such as `v25.4`.
  var unreadableVersion: String? {
    guard let value = members[ContextProperty.appVersion.rawValue], value != .null else { return nil }
    return DecisionContext.AppVersion.prefix(of: value.text) == nil ? value.text : nil
  }

  /// The context of the line's app and user; `known` supplies values that the line does not have.
  ///
  /// As in an app, only the numbers of a version such as `25.4-beta` count.
  func context(besides known: DecisionContext) -> DecisionContext {
    var context = known
    context.unitID = event.unitID
    for property in ContextProperty.ofApp {
      guard let value = members[property.rawValue], value != .null else { continue }
      context.report(value.text, as: property)
    }
    if case .object(let attributes)? = members["attributes"] {
      for (key, value) in attributes where value != .null { context.attributes[key] = value.text }
    }
    return context
  }
}
