import CAllocations
import Dispatch
import Foundation

/// Something to be timed, and what to do, untimed, after each round of it.
@MainActor
struct Subject {
  let name: String
  let body: () -> Void
  let afterRound: () async -> Void

  init(_ name: String, _ body: @escaping () -> Void, afterRound: @escaping () async -> Void = {}) {
    self.name = name
    self.body = body
    self.afterRound = afterRound
  }
}

/// Times subjects side by side.
///
/// All subjects take turns in every round, so that whatever else the machine does falls on all of them, and a ratio of
/// two of them means something even where the figures themselves wander. The first round warms up and is not counted.
@MainActor
enum Measure {
  /// The duration of every single call; the clock's own cost, some 20 ns, is part of it.
  static func calls(_ subjects: [Subject], callsARound: Int, rounds: Int) async -> [Samples] {
    var samples = subjects.map { _ in [Double]() }
    for round in 0...rounds {
      for (index, subject) in subjects.enumerated() {
        var durations: [Double] = []
        durations.reserveCapacity(callsARound)
        for _ in 0..<callsARound {
          let start = nanoseconds()
          subject.body()
          durations.append(Double(nanoseconds() - start))
        }
        await subject.afterRound()
        if round > 0 { samples[index] += durations }
      }
    }
    return samples.map { Samples($0) }
  }

  /// The mean time of one call in each round, for bodies that are shorter than the clock is fine. Counts this thread's
  /// processor time, so that what other processes take from a busy machine is not part of it.
  static func loops(_ subjects: [Subject], callsARound: Int, rounds: Int) async -> [Samples] {
    var samples = subjects.map { _ in [Double]() }
    for round in 0...rounds {
      for (index, subject) in subjects.enumerated() {
        let start = threadNanoseconds()
        for _ in 0..<callsARound { subject.body() }
        let duration = Double(threadNanoseconds() - start) / Double(callsARound)
        await subject.afterRound()
        if round > 0 { samples[index].append(duration) }
      }
    }
    return samples.map { Samples($0) }
  }

  /// Calls of the memory allocator a call of the subject; `nil` where they cannot be counted.
  static func allocations(_ subject: Subject, calls: Int = 1000) -> Double? {
    subject.body()
    let before = allocations_of_this_thread()
    for _ in 0..<calls { subject.body() }
    let after = allocations_of_this_thread()
    return before < 0 ? nil : Double(after - before) / Double(calls)
  }

  static func nanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
  }

  /// The processor time of this thread.
  static func threadNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The processor time that `body` takes of this thread, in seconds.
  static func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    let start = threadNanoseconds()
    try body()
    return Double(threadNanoseconds() - start) / 1e9
  }

  /// A baseline for what reads documents: the median of nine readings by `JSONSerialization`, in seconds of the processor.
  static func readingAsJSON(_ document: Data) throws -> Double {
    let durations = try (0..<9).map { _ in
      try processorSeconds { keep(try JSONSerialization.jsonObject(with: document)) }
    }
    return Samples(durations).median
  }

  /// The seconds that `body` takes.
  static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = nanoseconds()
    try await body()
    return Double(nanoseconds() - start) / 1e9
  }
}

/// Uses a value, so that the optimizer must compute it.
@inline(never)
func keep<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

// MARK: - Samples

/// Durations of one subject in nanoseconds, sorted.
struct Samples {
  private let sorted: [Double]

  init(_ nanoseconds: [Double]) {
    sorted = nanoseconds.sorted()
  }

  var median: Double { percentile(50) }

  /// The smallest sample that at least this share of all samples does not exceed (nearest rank).
  func percentile(_ percent: Double) -> Double {
    guard !sorted.isEmpty else { return .nan }
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }
}
