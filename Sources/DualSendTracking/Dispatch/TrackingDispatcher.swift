@_spi(Tools) import DualSendCore

/// The one ordered writer behind a tracker: it empties the inbox into the store and the store into the network.
///
/// The parts of its work stand in extensions: `+Intake` (inbox → store), `+Digest` (store → network), `+Flush`
/// (callers who wait) and `+Control` (consent, pause, purge, shutdown).
actor TrackingDispatcher {
  nonisolated let executor = DispatchQueueExecutor(label: "DualSend.dispatcher")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let configuration: TrackerConfiguration
  let inbox: Inbox
  nonisolated let outcomes: OutcomeBroadcaster
  var client: TrackingNetworkClient
  var gate: DeliveryGate

  // Intake
  var store: (any TrackingDataStore)?
  var storeFailure: TrackingStoreError?
  var storeFailures = 0
  var encoder: EventEncoder
  var buffer = Inbox.Contents()
  var nextInBuffer = 0
  /// Encoded events that are not committed yet, in order, and the drops that go into the same transaction.
  var staged: [TrackingData] = []
  var stagedDrops: [DropReason: Int] = [:]

  // Digest
  var storedCount = 0
  /// The uptime since which the oldest stored event waits in this process; `nil` if none waits.
  var waitingSince: Duration?
  var inFlight: ClosedRange<Int64>?
  /// The batch behind the one in flight. Whatever takes events from the store otherwise, or changes where they go, sets
  /// it to `nil`.
  var following: ReadyBatch?
  /// Answers that the store could not record yet; recorded before the next batch is read.
  var unrecorded: [Resolution] = []
  var digestTask: Task<Void, Never>?
  var timer: (due: Duration, task: Task<Void, Never>)?
  var requests = 0
  var retries = 0

  // Flush
  var waiters: [FlushWaiter] = []
  var nextWaiterID = 0
  var isShutDown = false
  /// What the store's ledger said when it was let go.
  var ledgerAtShutdown: TrackingLedger?

  init(configuration: TrackerConfiguration, inbox: Inbox) {
    self.configuration = configuration
    self.inbox = inbox
    outcomes = OutcomeBroadcaster(observer: configuration.observer, logger: configuration.logger)
    client = TrackingNetworkClient(
      endpoint: configuration.endpoint, transport: configuration.transport, time: configuration.time)
    gate = DeliveryGate(backoff: configuration.backoff, consent: configuration.consent)
    encoder = EventEncoder(maximumBytes: configuration.maximumEventBytes, beforeSend: configuration.beforeSend)
  }

  deinit {
    timer?.task.cancel()
  }

  /// Opens the store, then works until the signals end: when the tracker is shut down or released.
  func run(_ signals: AsyncStream<Void>) async {
    openStore()
    considerDigest()
    for await _ in signals { await takeIn() }
    await takeIn()
    stopTimer()
  }

  var now: Duration { configuration.time.uptime() }
}
