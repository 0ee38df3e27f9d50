import ArgumentParser
import DualSend
import DualSendCore
package import DualSendRollout

/// The options that describe an app and its user, and the time of the decision.
package struct ContextOptions: ParsableArguments {
  /// The options as a line of usage names them.
  static let usage = "--app-version, --platform, --locale, --country, --attribute, --at"

  /// An attribute that rules match against.
  struct Attribute: Sendable, Hashable {
    let key: String
    let value: String

    /// Reads `tier=gold`.
    init(_ text: String) throws {
      let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, !halves[0].isEmpty else { throw ValidationError("`\(text)` is not key=value") }
      (key, value) = (String(halves[0]), String(halves[1]))
    }
  }

  @Option(
    help: ArgumentHelp("The app version that rules match against.", valueName: "version"),
    transform: { text in
      guard let version = DecisionContext.AppVersion.prefix(of: text) else {
        throw ValidationError(
          DecisionContext.AppVersion.isTooLarge(in: text)
            ? "a number of the version `\(text)` is larger than \(UInt64.max)"
            : "`\(text)` does not begin with a number, such as 25.4.10; to apps it is unknown")
      }
      return version
    })
  var appVersion: DecisionContext.AppVersion?
  @Option(help: ArgumentHelp("The platform that rules match against, spelled as in the document.", valueName: "name"))
  var platform: String?
  @Option(help: ArgumentHelp("The locale that rules match against, spelled as in the document.", valueName: "locale"))
  var locale: String?
  @Option(help: ArgumentHelp("The country that rules match against, spelled as in the document.", valueName: "country"))
  var country: String?
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "An attribute that rules match against, such as tier=gold; may be repeated.", valueName: "key=value"),
    transform: { try Attribute($0) })
  var attribute: [Attribute] = []
  @OptionGroup var moment: MomentOption

  func validate() throws {
    let keys = attribute.map(\.key)
    if let key = keys.first(where: { key in keys.count { $0 == key } > 1 }) {
      throw ValidationError("the attribute `\(key)` has two values")
    }
  }

  package func context(unitID: String?) -> DecisionContext {
    DecisionContext(
      unitID: unitID, appVersion: appVersion, platform: platform, locale: locale, country: country,
      attributes: Dictionary(attribute.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }
}

/// The `--at` option: the time at which schedules are evaluated.
struct MomentOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Evaluate schedules at this time instead of now, such as 2026-12-01T00:00:00Z.", valueName: "time"),
    transform: { text in
      guard let milliseconds = Timestamp.milliseconds(text: text) else {
        throw ValidationError("`\(text)` is not a time such as 2026-12-01T00:00:00Z")
      }
      return milliseconds
    })
  var at: Int64?

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var milliseconds: Int64 { at ?? TimeSource.system.wallMilliseconds() }
}
