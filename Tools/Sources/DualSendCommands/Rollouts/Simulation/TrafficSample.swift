import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// The names of events and what is known of their apps, as they stand in a file of events.
struct TrafficSample {
  /// Different texts, as many as fit.
  struct Texts {
    /// Beyond this many nothing is concluded from what is not among them.
    private static let maximum = 100_000

    private(set) var all: Set<ExactText> = []
    /// Whether something was seen, and everything that was seen is kept.
    private(set) var isTelling = false

    mutating func insert(_ text: String) {
      guard isTelling || all.isEmpty else { return }
      all.insert(ExactText(text))
      isTelling = all.count <= Self.maximum
    }
  }

  private(set) var events = Texts()
  /// By what a rule can ask for; not versions, which are compared.
  private(set) var values: [ContextKey: Texts] = [:]
  private(set) var versions: Set<DecisionContext.AppVersion> = []

  init() {}

  /// Reads a file of legacy events, and names its malformed lines on the console.
  ///
  /// - Parameter path: `-` for standard input.
  init(reading path: String, on console: Console, format: OutputFormat) throws {
    var sample = TrafficSample()
    var lines = try LegacyLines(path, input: console.input)
    try lines.forEach("read", on: console) { line in
      sample.add(line.event.name, context: line.context(besides: DecisionContext()))
    }
    lines.reportMalformed(on: console, format: format)
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
