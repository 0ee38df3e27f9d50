import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendRollout

/// The options that say in which streams events belong.
struct MembershipOptions: ParsableArguments {
  /// Which streams may have events of their own.
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

  /// Where new payloads carry an attribute.
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
      "A rollout document that was in force, and since when: it says where an event belongs that carries no decision, and checks one that does. May be repeated; a folder is a console's history.",
      valueName: "file[@time]"))
  var rollout: [String] = []
  @Option(
    help: ArgumentHelp(
      "With several documents: how long apps may go on with one after the next was published, such as 90m or 7d; 24h by default.",
      valueName: "time"), transform: { try Lateness.read($0) })
  var late: Int64?
  @Option(help: "Without --rollout: let events pass that only this stream has and that carry no decision.")
  var allowLone: Sides?
  @Option(
    help: ArgumentHelp("Where the new payload carries the unit.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var unitKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp("With --rollout: where the new payload carries the app version.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var appVersionKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp("With --rollout: where the new payload carries the platform.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var platformKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp("With --rollout: where the new payload carries the locale.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var localeKey: KeyPathPattern?
  @Option(
    help: ArgumentHelp("With --rollout: where the new payload carries the country.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var countryKey: KeyPathPattern?
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "With --rollout: where the new payload carries an attribute; may be repeated.", valueName: "attribute=path"),
    transform: { try AttributeKey($0) })
  var attributeKey: [AttributeKey] = []
  @OptionGroup var context: ContextOptions

  init() {}

  func validate() throws {
    let isContextGiven =
      !properties.isEmpty || !attributeKey.isEmpty || context.context(unitID: nil) != DecisionContext()
      || context.moment.at != nil
    if rollout.isEmpty, isContextGiven {
      throw ValidationError("what is known about apps and units goes with --rollout")
    }
    if rollout.isEmpty, late != nil { throw ValidationError("--late goes with --rollout") }
    if !rollout.isEmpty, allowLone != nil { throw ValidationError("--rollout and --allow-lone exclude each other") }
  }

  private var properties: [ContextProperty: KeyPathPattern] {
    let keys = [
      ContextProperty.appVersion: appVersionKey, .platform: platformKey, .locale: localeKey, .country: countryKey,
    ]
    return keys.compactMapValues { $0 }
  }

  /// - Throws: if a rollout document cannot be read or is refused.
  func membership() throws -> StreamMembership {
    guard !rollout.isEmpty else { return allowLone.map { .loneAllowed(in: $0.sides) } ?? .everywhere }
    var keys = RolloutMembership.Keys()
    keys.unit = unitKey
    keys.properties = properties
    keys.attributes = Dictionary(attributeKey.map { ($0.name, $0.path) }, uniquingKeysWith: { first, _ in first })
    return .rollout(
      RolloutMembership(
        try RolloutArguments.read(rollout), late: late ?? RolloutMembership.defaultLateness,
        context: context.context(unitID: nil), keys: keys, at: context.moment.at))
  }
}

/// A key path as it is written on a command line.
enum KeyPathArgument {
  static func read(_ text: String) throws -> KeyPathPattern {
    do { return try KeyPathPattern(text) } catch {
      throw ValidationError("`\(text)` is not a key path: \(error)")
    }
  }
}
