import DualSendCore

/// The bounded queue between the callers' threads and the dispatcher.
final class Inbox: Sendable {
  struct Contents: Sendable {
    var events: [CapturedEvent] = []
    /// Events dropped since the last take, by reason.
    var dropped: [DropReason: Int] = [:]
    /// How many events were added and then dropped because of a denial.
    var discarded = 0
    /// Whether consent was denied since the last take. All events are newer than that, and what was taken is older.
    var isAfterDenial = false
  }

  private struct State: Sendable {
    var contents = Contents()
    var isSignalled = false
    /// Whether the events should be committed without waiting for more.
    var shouldCommitNow = false
    var isClosed = false
    var isDenied = false
    /// How many events were added so far.
    var added = 0
    /// The tracker's mutations; `nil` for none.
    var mutations: MutationChain?
  }

  private let capacity: Int
  /// At this number of events, they are committed without waiting for more.
  private let commitCount: Int
  private let signal: InboxSignal
  private let state: Locked<State>

  /// - Parameter signal: raised when the first events arrive after a take, and when they should be committed now;
  ///   at most once each between two takes.
  init(capacity: Int, signal: InboxSignal) {
    self.capacity = capacity
    commitCount = min(Intake.chunk, max(1, capacity / 2))
    self.signal = signal
    state = Locked(State())
  }

  /// Appends an event, or counts it as dropped if there is no room. Never waits.
  func add(_ event: CapturedEvent) {
    // An app's code must not run under the lock.
    if let mutations = add(event, with: nil) { _ = add(event, with: (mutations, mutations.capture())) }
  }

  /// - Parameter own: the tracker's mutations and what they read; `nil` to use the current ones.
  /// - Returns: the current mutations, if they must read the state of the app before the event can be added.
  @inline(__always)
  private func add(
    _ event: CapturedEvent, with own: (mutations: MutationChain, captured: [MutationChain.Captured]?)?
  ) -> MutationChain? {
    let (mustSignal, mutations) = state.withLock { state -> (Bool, MutationChain?) in
      if own == nil, let mutations = state.mutations, mutations.needsCapture { return (false, mutations) }
      if state.isClosed {
        state.contents.dropped[.shutDown, default: 0] += 1
      } else if state.isDenied {
        state.contents.dropped[.consentDenied, default: 0] += 1
      } else if state.contents.events.count >= capacity {
        state.contents.dropped[.inboxFull, default: 0] += 1
      } else {
        state.contents.events.append(event)
        state.added += 1
        if let mutations = own?.mutations ?? state.mutations {
          let last = state.contents.events.count - 1
          state.contents.events[last].mutations = mutations
          state.contents.events[last].ownCaptured = own?.captured
        }
      }
      let presses = event.isUrgent || state.contents.events.count >= commitCount
      defer {
        state.isSignalled = true
        if presses { state.shouldCommitNow = true }
      }
      return (!state.isSignalled || presses && !state.shouldCommitNow, nil)
    }
    if mustSignal { signal.raise() }
    return mutations
  }

  /// Counts an event that was dropped before it got here.
  func countDropped(_ reason: DropReason) {
    let mustSignal = state.withLock { state -> Bool in
      state.contents.dropped[reason, default: 0] += 1
      defer { state.isSignalled = true }
      return !state.isSignalled
    }
    if mustSignal { signal.raise() }
  }

  /// Sets the mutations for events from now on.
  func setMutations(_ mutations: MutationChain?) {
    state.withLock { $0.mutations = mutations }
  }

  /// Moves everything since the last take into `contents`, and reuses its array. Its own events must be done with.
  func take(into contents: inout Contents) {
    contents.events.removeAll(keepingCapacity: true)
    contents.dropped = [:]
    (contents.discarded, contents.isAfterDenial) = (0, false)
    state.withLock { state in
      swap(&state.contents, &contents)
      state.isSignalled = false
      state.shouldCommitNow = false
    }
  }

  /// The number of events that were added so far.
  var mark: Int { state.withLock(\.added) }

  /// Whether the events should be committed now: one is urgent, or there are many.
  var shouldCommitNow: Bool { state.withLock(\.shouldCommitNow) }

  /// Whether consent was denied since the last take.
  var isAfterDenial: Bool { state.withLock(\.contents.isAfterDenial) }

  /// Drops and counts later events while consent is denied, and what is in the inbox when it is denied or was until now.
  func setDenied(_ isDenied: Bool) {
    let mustSignal = state.withLock { state -> Bool in
      guard isDenied || state.isDenied else { return false }
      let count = state.contents.events.count
      state.contents.events.removeAll(keepingCapacity: true)
      state.contents.discarded += count
      if count > 0 { state.contents.dropped[.consentDenied, default: 0] += count }
      if isDenied { state.contents.isAfterDenial = true }
      state.isDenied = isDenied
      defer { state.isSignalled = true }
      return !state.isSignalled
    }
    if mustSignal { signal.raise() }
  }

  /// Drops every later event.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// How many events are in the inbox, and how many were dropped since the last take.
  var counts: (waiting: Int, dropped: [DropReason: Int]) {
    state.withLock { ($0.contents.events.count, $0.contents.dropped) }
  }
}

// MARK: - Inbox signal

/// Starts work on the dispatcher when there are events to commit.
///
/// Each signal is a task that starts on the dispatcher's executor, which wakes one thread. A dispatcher that waits for
/// signals would wake two: a continuation and an `AsyncStream` resume on the global executor before they return to the
/// actor.
final class InboxSignal: Sendable {
  typealias Work = @isolated(any) @Sendable () async -> Void

  /// A struct, because a closure with `@isolated(any)` as a generic argument needs iOS 18.
  private struct Receiver: Sendable {
    let eventsArrived: Work
    let ended: Work
  }

  private struct State: Sendable {
    var isRaised = false
    var isFinished = false
    /// Retains the dispatcher until the signals end.
    var receiver: Receiver?
  }

  private let state = Locked(State())

  /// Starts `eventsArrived`, or lets ``connect(eventsArrived:ended:)`` do so.
  func raise() {
    let receiver = state.withLock { state in
      if state.receiver == nil { state.isRaised = true }
      return state.receiver
    }
    if let receiver { start(receiver.eventsArrived) }
  }

  /// Starts `ended`. No signal follows.
  func finish() {
    let receiver = state.withLock { state in
      defer { state.receiver = nil }
      state.isFinished = true
      return state.receiver
    }
    if let receiver { start(receiver.ended) }
  }

  /// Sets the receiver, and starts what was signalled before.
  ///
  /// - Parameters:
  ///   - eventsArrived: started for each signal, on the actor that creates the closure.
  ///   - ended: started once, after the last signal.
  func connect(
    @_inheritActorContext eventsArrived: @escaping Work, @_inheritActorContext ended: @escaping Work
  ) {
    let (isRaised, isFinished) = state.withLock { state in
      if !state.isFinished { state.receiver = Receiver(eventsArrived: eventsArrived, ended: ended) }
      return (state.isRaised, state.isFinished)
    }
    if isFinished { start(ended) } else if isRaised { start(eventsArrived) }
  }

  /// Not detached, because a metrics factory may be a task-local value.
  private func start(_ work: @escaping Work) {
    Task(priority: .utility, operation: work)
  }
}
