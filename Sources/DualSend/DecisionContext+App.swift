import DualSendCore
public import DualSendRollout
public import Foundation
public import Logging

extension DecisionContext {
  /// A context with the running app's version, from the bundle, its platform, locale and country.
  ///
  /// The locale is the language and the region, such as `ja-JP`, without other settings. The country is the region.
  ///
  /// Of a version that is not just dotted numbers, such as `25.4-beta`, the leading numbers are used (`25.4`), and a
  /// warning is logged. Without any number the version is unknown, and no version rule matches.
  ///
  /// - Parameters:
  ///   - bundle: the app's bundle.
  ///   - locale: the user's locale.
  ///   - attributes: further attributes for rules.
  ///   - logger: receives the warning.
  public static func app(
    _ bundle: Bundle = .main, locale: Locale = .current, attributes: [String: String] = [:],
    logger: Logger = Logger(label: "dualsend.rollout")
  ) -> DecisionContext {
    let (language, region) = (locale.language.languageCode?.identifier, locale.region?.identifier)
    var context = DecisionContext(
      platform: DeviceFacts.osName,
      locale: language.map { ([$0] + [region].compactMap(\.self)).joined(separator: "-") },
      country: region, attributes: attributes)
    guard let text = DeviceFacts.appVersion(of: bundle) else { return context }
    context.appVersion = AppVersion.prefix(of: text)
    if AppVersion(text) == nil {
      let used = context.appVersion.map { "\($0) is used" } ?? "no version rule matches"
      logger.warning("the app's version \(text.printable()) is not dotted numbers: \(used)")
    }
    return context
  }
}
