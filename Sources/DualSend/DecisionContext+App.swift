import DualSendCore
public import DualSendRollout
public import Foundation
public import Logging

extension DecisionContext {
  /// What rules may ask about the running app: its version, from the bundle, the platform, the locale and the country.
  ///
  /// The locale is its language and region, such as `ja-JP`, whatever else the user has set; the country is its region.
  ///
  /// Of a version that is more than numbers between dots, such as `25.4-beta`, the numbers count (`25.4`), and the log says
  /// so. Without any number the version stays unknown, and no rule on it matches.
  ///
  /// - Parameters:
  ///   - bundle: the app's.
  ///   - locale: the user's.
  ///   - attributes: anything else that rules may ask for.
  ///   - logger: hears of a version that is not read as a whole.
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
      let used = context.appVersion.map { "\($0) counts" } ?? "no version rule matches"
      logger.warning("the app's version \(text.printable()) is not numbers between dots: \(used)")
    }
    return context
  }
}
