import DualSend
import DualSendCore
import Foundation
import ShopRecipes
import Testing

struct FirebaseRolloutTests {
  @Test func aChangeOfTheParametersChangesTheDecision() throws {
    let config = FakeFirebaseConfig(old: true, new: 0)
    let rollout = FirebaseRollout(config).rollout
    #expect(rollout.outcome == .oldOnly)
    config.change(old: true, new: 100)
    #expect(rollout.outcome == .both)
    config.change(old: false, new: 100)
    #expect(rollout.outcome == .newOnly)
  }

  @Test(arguments: [-1, 100.5, .nan, .infinity])
  func aShareOutOfRangeLeavesTheLastGoodRolloutInForce(_ share: Double) throws {
    let config = FakeFirebaseConfig(old: true, new: 100)
    let rollout = FirebaseRollout(config).rollout
    config.change(old: true, new: share)
    #expect(rollout.outcome == .both)
  }

  @Test func parametersThatAreNotThereLeaveTheOldLoggerOn() {
    #expect(FirebaseRollout(FakeFirebaseConfig(old: false, new: 0)).rollout.outcome == .oldOnly)
  }
}

/// Holds two values, and tells of a change as Firebase does: with a closure, and once the new values can be read.
private final class FakeFirebaseConfig: FirebaseConfig {
  struct Value: FirebaseConfigValue {
    var numberValue: NSNumber
    var boolValue: Bool
  }

  private let state: Locked<(old: Bool, new: Double, listeners: [@Sendable () -> Void])>

  init(old: Bool, new: Double) {
    state = Locked((old, new, []))
  }

  func configValue(forKey key: String) -> Value {
    let (old, new, _) = state.current
    return key == "shouldSendLogToOldLogger"
      ? Value(numberValue: 0, boolValue: old) : Value(numberValue: NSNumber(value: new), boolValue: false)
  }

  func onActivatedUpdate(_ listener: @escaping @Sendable () -> Void) {
    state.withLock { $0.listeners.append(listener) }
  }

  func change(old: Bool, new: Double) {
    state.withLock { ($0.old, $0.new) = (old, new) }
    for listener in state.current.listeners { listener() }
  }
}
