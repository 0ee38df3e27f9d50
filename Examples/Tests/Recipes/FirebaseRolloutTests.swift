import DualSend
import ExampleSupport
import Foundation
import ShopRecipes
import Testing

struct FirebaseRolloutTests {
  @Test func aChangeOfTheParametersChangesTheDecision() {
    let config = FakeFirebaseConfig(old: "true", new: "false")
    let rollout = FirebaseRollout(config).rollout
    #expect(rollout.outcome == .oldOnly)
    config.change(old: "true", new: "true")
    #expect(rollout.outcome == .both)
    config.change(old: "false", new: "true")
    #expect(rollout.outcome == .newOnly)
  }

  @Test(arguments: [("true", "100"), ("100", "true"), ("100.0", "100"), ("TRUE", " true\n")])
  func flagsAndPercentagesAreReadFromTheText(old: String, new: String) {
    #expect(FirebaseRollout(FakeFirebaseConfig(old: old, new: new)).rollout.outcome == .both)
  }

  @Test func aPercentageReachesThatShareOfTheUnits() {
    let rollout = FirebaseRollout(FakeFirebaseConfig(old: "true", new: "12.5")).rollout
    let units = (0..<2000).map { DecisionContext(unitID: "installation-\($0)") }
    let reached = units.count { rollout.snapshot.decision(for: "home.view", context: $0).shouldSendLogToNewTracker }
    #expect((200..<300).contains(reached))
  }

  @Test(arguments: ["", "-1", "100.5", "nan", "inf", "yes", "50 %", "{}"])
  func aTextThatIsNeitherLeavesTheLastGoodRolloutInForce(_ text: String) {
    let config = FakeFirebaseConfig(old: "true", new: "100")
    let rollout = FirebaseRollout(config).rollout
    config.change(old: "true", new: text)
    #expect(rollout.outcome == .both)
    config.change(old: text, new: "true")
    #expect(rollout.outcome == .both)
  }

  @Test func flagsThatLeaveUnitsWithoutASinkLeaveTheLastGoodRolloutInForce() {
    let config = FakeFirebaseConfig(old: "true", new: "true")
    let rollout = FirebaseRollout(config).rollout
    config.change(old: "false", new: "50")
    #expect(rollout.outcome == .both)
  }

  @Test func parametersThatDoNotExistLeaveTheOldLoggerOn() {
    #expect(FirebaseRollout(FakeFirebaseConfig(old: nil, new: nil)).rollout.outcome == .oldOnly)
  }

  /// The results of `numberValue` and `boolValue` for the texts of a rollout.
  @Test(arguments: [("true", 0, true), ("false", 0, false), ("5", 5, true), ("0.5", 0.5, false), ("", 0, false)])
  func theDoubleAnswersAsFirebaseDoes(text: String, number: Double, flag: Bool) {
    let value = FakeFirebaseConfig(old: text, new: nil).configValue(forKey: "shouldSendLogToOldLogger")
    #expect((value.stringValue, value.numberValue, value.boolValue) == (text, NSNumber(value: number), flag))
  }
}

/// Holds two parameters, and reports changes as Firebase does: by a closure, after the new values are readable.
private final class FakeFirebaseConfig: FirebaseConfig {
  /// Firebase's `RemoteConfigValue`: a text, which `NSString` converts to the other two.
  ///
  /// The text of a missing parameter is empty.
  /// https://firebase.google.com/docs/reference/swift/firebaseremoteconfig/api/reference/Classes/RemoteConfigValue
  /// https://developer.apple.com/documentation/foundation/nsstring/boolvalue
  struct Value: FirebaseConfigValue {
    let stringValue: String
    var numberValue: NSNumber { NSNumber(value: NSString(string: stringValue).doubleValue) }
    var boolValue: Bool { NSString(string: stringValue).boolValue }
  }

  private let state: Locked<(parameters: [String: String], listeners: [@Sendable () -> Void])>

  init(old: String?, new: String?) {
    state = Locked((Self.parameters(old: old, new: new), []))
  }

  func configValue(forKey key: String) -> Value {
    Value(stringValue: state.current.parameters[key] ?? "")
  }

  func onActivatedUpdate(_ listener: @escaping @Sendable () -> Void) {
    state.withLock { $0.listeners.append(listener) }
  }

  func change(old: String?, new: String?) {
    state.withLock { $0.parameters = Self.parameters(old: old, new: new) }
    for listener in state.current.listeners { listener() }
  }

  private static func parameters(old: String?, new: String?) -> [String: String] {
    var parameters: [String: String] = [:]
    parameters["shouldSendLogToOldLogger"] = old
    parameters["shouldSendLogToNewTracker"] = new
    return parameters
  }
}
