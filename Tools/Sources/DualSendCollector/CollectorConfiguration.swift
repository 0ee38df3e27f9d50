public import struct Foundation.URL

/// How a ``CollectorServer`` is set up.
public struct CollectorConfiguration: Sendable {
  /// Which requests it takes, and how it answers them.
  public var format: CollectorFormat
  /// The port on 127.0.0.1; 0 takes any that is free.
  public var port: UInt16
  /// Where unique events go as JSON lines; `nil` for nowhere. Ids that the file already holds count as received.
  public var output: URL?
  /// How it misbehaves at `/events` from the start.
  public var faults: [CollectorFault]
  /// The seed of ``CollectorFault/Trigger/random(_:)``.
  public var seed: UInt64
  /// How many events ``CollectorServer/events`` keeps; later ones are counted and not kept.
  public var keptEvents: Int
  /// Whether payloads are read. Without it, and without an output file or a fault that selects events, a batch of the
  /// tracker's own wire form is only searched for its ids: for benchmarks.
  public var readsPayloads: Bool
  /// The longest body accepted, in bytes, before and after decompression.
  public var maximumBodyBytes: Int

  /// Creates a configuration; by default a well-behaved collector on a free port that keeps 100,000 events in memory.
  public init(
    format: CollectorFormat = .dualsend, port: UInt16 = 0, output: URL? = nil, faults: [CollectorFault] = [],
    seed: UInt64 = 1,
    keptEvents: Int = 100_000, readsPayloads: Bool = true, maximumBodyBytes: Int = 64 << 20
  ) {
    self.format = format
    self.port = port
    self.output = output
    self.faults = faults
    self.seed = seed
    self.keptEvents = keptEvents
    self.readsPayloads = readsPayloads
    self.maximumBodyBytes = maximumBodyBytes
  }
}
