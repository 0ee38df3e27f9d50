import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// The names, versions, platforms and attributes that stand in a file of events.
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
  private(set) var platforms = Texts()
  private(set) var attributes: [String: Texts] = [:]
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
    if let platform = context.platform { platforms.insert(platform) }
    if let version = context.appVersion { versions.insert(version) }
    for (key, value) in context.attributes { attributes[key, default: Texts()].insert(value) }
  }
}
