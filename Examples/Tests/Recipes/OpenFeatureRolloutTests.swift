import DualSend
import ExampleSupport
import ShopRecipes
import Testing

struct OpenFeatureRolloutTests {
  @Test func aChangeOfTheFlagsChangesTheDecision() async {
    let client = FakeOpenFeatureClient(old: 100, new: 0)
    let rollout = OpenFeatureRollout(client)
    await rollout.follow(after: { client.change(old: 100, new: 100) })
    #expect(rollout.rollout.outcome == .both)
  }

  @Test(arguments: [-1, 100.5, .nan, .infinity])
  func aShareOutOfRangeLeavesTheLastGoodRolloutInForce(_ share: Double) async {
    let client = FakeOpenFeatureClient(old: 100, new: 100)
    let rollout = OpenFeatureRollout(client)
    await rollout.follow(after: { client.change(old: 100, new: share) })
    #expect(rollout.rollout.outcome == .both)
  }

  @Test func sharesThatLeaveUnitsWithoutASinkLeaveTheLastGoodRolloutInForce() async {
    let client = FakeOpenFeatureClient(old: 100, new: 100)
    let rollout = OpenFeatureRollout(client)
    await rollout.follow(after: { client.change(old: 50, new: 20) })
    #expect(rollout.rollout.outcome == .both)
  }
}

extension OpenFeatureRollout {
  /// Follows a provider that changes its values once and then ends.
  fileprivate func follow(after change: @escaping @Sendable () -> Void) async {
    let (events, provider) = AsyncStream.makeStream(of: OpenFeatureEvent.self)
    await follow(AsyncStream { nil })
    change()
    provider.yield(.configurationChanged)
    provider.finish()
    await follow(events)
  }
}

private final class FakeOpenFeatureClient: OpenFeatureClient {
  private let flags: Locked<(old: Double, new: Double)>

  init(old: Double, new: Double) {
    flags = Locked((old, new))
  }

  func getDoubleValue(key: String, defaultValue: Double) -> Double {
    switch key {
    case "shouldSendLogToOldLogger": flags.current.old
    case "shouldSendLogToNewTracker": flags.current.new
    default: defaultValue
    }
  }

  func change(old: Double, new: Double) {
    flags.withLock { $0 = (old, new) }
  }
}
