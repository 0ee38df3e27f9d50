import DualSend
import Foundation

/// Calls with pauses between them, as a user's taps come, from several threads at once.
enum PacedCalls {
  /// How long a thread sleeps before each of its calls.
  private static let pause: UInt32 = 250

  /// The duration of every call; `call` and `baseline` take turns, so that the machine's moods fall on both.
  static func measure(
    threads: Int, calls: Int, baseline: @escaping @Sendable (Int) -> Void, _ call: @escaping @Sendable (Int) -> Void
  ) async -> (baseline: Samples, call: Samples) {
    let found = await withTaskGroup(of: (baseline: [Double], call: [Double]).self) { group in
      for _ in 0..<threads {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: onThisThread(calls / threads, baseline, call)) }
          }
        }
      }
      return await group.reduce(into: (baseline: [Double](), call: [Double]())) { all, one in
        all.baseline += one.baseline
        all.call += one.call
      }
    }
    return (Samples(found.baseline), Samples(found.call))
  }

  private static func onThisThread(
    _ calls: Int, _ baseline: (Int) -> Void, _ call: (Int) -> Void
  ) -> (baseline: [Double], call: [Double]) {
    var (baselines, durations): ([Double], [Double]) = ([], [])
    for number in 0..<calls {
      baselines.append(nanoseconds { baseline(number) })
      durations.append(nanoseconds { call(number) })
    }
    return (baselines, durations)
  }

  private static func nanoseconds(_ body: () -> Void) -> Double {
    usleep(pause)
    let start = DispatchTime.now().uptimeNanoseconds
    body()
    return Double(DispatchTime.now().uptimeNanoseconds - start)
  }
}
