#if canImport(ObjectiveC)
  import Foundation
#endif

#if !canImport(ObjectiveC)
  /// What Objective-C's root class is elsewhere.
  class NSObject {}
#endif

/// Logs for both languages.
final class ActivityLog: NSObject {
  static let shared = ActivityLog()

  #if canImport(ObjectiveC)
    @objc(sharedLog) static var sharedLog: ActivityLog { shared }
    @objc(logEvent:parameters:)
    func logEvent(_ name: String, parameters: [String: Any]?) {
      Output.write(name: name, parameters: parameters ?? [:])
    }
  #else
    func logEvent(_ name: String, parameters: [String: Any]?) {
      Output.write(name: name, parameters: parameters ?? [:])
    }
  #endif
}
