import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendRollout

/// The options that tell in which streams events belong.
struct MembershipOptions: ParsableArguments {
  /// The streams that may have events without a counterpart.
  enum Sides: String, ExpressibleByArgument, CaseIterable {
    case old, new, both

    var sides: Set<StreamSide> {
      switch self {
      case .old: [.old]
      case .new: [.new]
      case .both: [.old, .new]
      }
    }
  }

  /// The path of an attribute in new payloads.
  struct AttributeKey: Sendable {
    let name: String
    let path: KeyPathPattern

    init(_ text: String) throws {
      let halves = text.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { throw ValidationError("`\(text)` is not attribute=path") }
      (name, path) = (String(halves[0]), try KeyPathArgument.read(String(halves[1])))
    }
  }

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A rollout document, and the time since when it was in force: tells where events without a decision belong. May be repeated; a folder is a console's history.",
      valueName: "file[@time]"))
  var rollout: [String] = []
  @Option(
    help: ArgumentHelp(
      "With several documents: how long apps may use one after the next was published, such as 90m or 7d (default: 24h).",
      valueName: "time"), transform: { try Lateness.read($0) })
  var late: Int64?
  @Option(help: "Without --rollout: accept events without a decision that only this stream has.")
  var allowOneSided: Sides?
  @Option(
    help: ArgumentHelp("The path of the unit in new payloads.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var unitKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp(
      "The path in new payloads of what is counted in place of units, such as a customer whose devices fail together.",
      valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var clusterKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp(
      "With --rollout: the path of the app version in new payloads.", valueName: "path", visibility: .hidden),
    transform: { try KeyPathArgument.read($0) })
  var appVersionKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp(
      "With --rollout: the path of the platform in new payloads.", valueName: "path", visibility: .hidden),
    transform: { try KeyPathArgument.read($0) })
  var platformKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp(
      "With --rollout: the path of the locale in new payloads.", valueName: "path", visibility: .hidden),
    transform: { try KeyPathArgument.read($0) })
  var localeKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp(
      "With --rollout: the path of the country in new payloads.", valueName: "path", visibility: .hidden),
    transform: { try KeyPathArgument.read($0) })
  var countryKey: KeyPathPattern?
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "With --rollout: the path of an attribute in new payloads; may be repeated.", valueName: "attribute=path",
      visibility: .hidden),
    transform: { try AttributeKey($0) })
  var attributeKey: [AttributeKey] = []
  @OptionGroup(visibility: .hidden) var context: ContextOptions

  /// Says where the options are that the help of a verb leaves out.
  static func hiddenOptions(_ verb: String) -> String {
    "`dualsend \(verb) --help-hidden` has the options about apps and users that rules match against."
  }

  func validate() throws {
    let isContextGiven =
      !properties.isEmpty || !attributeKey.isEmpty || context.context(unitID: nil) != DecisionContext()
      || context.moment.at != nil
    if rollout.isEmpty, isContextGiven {
      throw ValidationError("options about apps and their users need --rollout")
    }
    if rollout.isEmpty, late != nil { throw ValidationError("--late needs --rollout") }
    if !rollout.isEmpty, allowOneSided != nil {
      throw ValidationError("--rollout and --allow-one-sided exclude each other")
    }
  }

  private var properties: [ContextProperty: KeyPathPattern] {
    let keys = [
      ContextProperty.appVersion: appVersionKey, .platform: platformKey, .locale: localeKey, .country: countryKey,
    ]
    return keys.compactMapValues { $0 }
  }

  /// The options as texts, to tell whether two comparisons have the same.
  var texts: [String] {
    let paths = [unitKey, clusterKey, appVersionKey, platformKey, localeKey, countryKey].map { $0?.description }
    let attributes = attributeKey.map { "\($0.name)=\($0.path)" } + context.attribute.map { "\($0.key)=\($0.value)" }
    let values = [
      late?.description, allowOneSided?.rawValue, context.appVersion?.description, context.platform, context.locale,
      context.country, context.moment.at?.description,
    ]
    return (paths + values).map { $0 ?? "" } + attributes
  }

  /// - Parameter published: the documents, in place of those that ``rollout`` names.
  /// - Throws: if a rollout document cannot be read or is refused.
  func membership(by published: [PublishedRollout]? = nil) throws -> StreamMembership {
    guard !rollout.isEmpty else { return allowOneSided.map { .oneSidedAllowed(in: $0.sides) } ?? .everywhere }
    var keys = RolloutMembership.Keys()
    keys.unit = unitKey
    keys.properties = properties
    keys.attributes = Dictionary(attributeKey.map { ($0.name, $0.path) }, uniquingKeysWith: { first, _ in first })
    return .rollout(
      RolloutMembership(
        try published ?? RolloutArguments.read(rollout), late: late ?? RolloutMembership.defaultLateness,
        context: context.context(unitID: nil), keys: keys, at: context.moment.at))
  }
}

/// Reads a key path from a command line.
enum KeyPathArgument {
  static func read(_ text: String) throws -> KeyPathPattern {
    do { return try KeyPathPattern(text) } catch {
      throw ValidationError("`\(text)` is not a key path: \(error)")
    }
  }
}
