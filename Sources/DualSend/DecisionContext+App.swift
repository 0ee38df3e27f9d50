import DualSendCore
public import DualSendRollout
public import Foundation
public import Logging

extension DecisionContext {
  /// What rules may ask about the running app: its version, from the bundle, and the platform.
  ///
  /// Of a version that is more than numbers between dots, such as `25.4-beta`, the numbers count (`25.4`), and the log says
  /// so. Without any number the version stays unknown, and no rule on it matches.
  ///
  /// - Parameters:
  ///   - bundle: the app's.
  ///   - attributes: anything else that rules may ask for.
  ///   - logger: hears of a version that is not read as a whole.
  public static func app(
    _ bundle: Bundle = .main, attributes: [String: String] = [:], logger: Logger = Logger(label: "dualsend.rollout")
  ) -> DecisionContext {
    var context = DecisionContext(platform: DeviceFacts.osName, attributes: attributes)
    guard let text = DeviceFacts.appVersion(of: bundle) else { return context }
    context.appVersion = AppVersion.prefix(of: text)
    if AppVersion(text) == nil {
      let used = context.appVersion.map { "\($0) counts" } ?? "no version rule matches"
      logger.warning("the app's version \(text.printable()) is not numbers between dots: \(used)")
    }
    return context
  }
}
