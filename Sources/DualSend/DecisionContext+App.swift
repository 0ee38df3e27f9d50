import DualSendCore
public import DualSendRollout
public import Foundation
public import Logging

extension DecisionContext {
  /// A context with the running app's version, from the bundle, and platform.
  ///
  /// Of a version that is not just dotted numbers, such as `25.4-beta`, the leading numbers are used (`25.4`), and a
  /// warning is logged. Without any number the version is unknown, and no version rule matches.
  ///
  /// - Parameters:
  ///   - bundle: the app's bundle.
  ///   - attributes: further attributes for rules.
  ///   - logger: receives the warning.
  public static func app(
    _ bundle: Bundle = .main, attributes: [String: String] = [:], logger: Logger = Logger(label: "dualsend.rollout")
  ) -> DecisionContext {
    var context = DecisionContext(platform: DeviceFacts.osName, attributes: attributes)
    guard let text = DeviceFacts.appVersion(of: bundle) else { return context }
    context.appVersion = AppVersion.prefix(of: text)
    if AppVersion(text) == nil {
      let used = context.appVersion.map { "\($0) is used" } ?? "no version rule matches"
      logger.warning("the app's version \(text.printable()) is not dotted numbers: \(used)")
    }
    return context
  }
}
