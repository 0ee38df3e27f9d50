package import struct Foundation.URL

/// The configuration of a ``CollectorServer``.
package struct CollectorConfiguration: Sendable {
  /// The format of requests and responses.
  package var format: CollectorFormat
  /// The port on 127.0.0.1; 0 for any free one.
  package var port: UInt16
  /// The output file for unique events as JSON lines, if any. Ids that are already in the file count as received.
  package var output: URL?
  /// The faults for event requests.
  package var faults: [CollectorFault]
  /// The seed of ``CollectorFault/Trigger/random(_:)``.
  package var seed: UInt64
  /// The most events in ``CollectorServer/events``. Later ones are only counted.
  package var keptEvents: Int
  /// Whether to read payloads. If not, and without an output file or a fault that selects events, batches in the
  /// tracker's own format are only scanned for ids, for benchmarks.
  package var readsPayloads: Bool
  /// The largest body accepted, in bytes, before and after decompression.
  package var maximumBodyBytes: Int
  /// The most open connections, update streams included. Further ones are closed at once.
  package var maximumConnections: Int
  /// Names by which it may be called beside those of the loopback interface.
  package var hostNames: [String] = []

  /// Creates a configuration. By default the collector has no faults, uses a free port, and keeps 100,000 events in
  /// memory.
  package init(
    format: CollectorFormat = .dualsend, port: UInt16 = 0, output: URL? = nil, faults: [CollectorFault] = [],
    seed: UInt64 = 1, keptEvents: Int = 100_000, readsPayloads: Bool = true, maximumBodyBytes: Int = 64 << 20,
    maximumConnections: Int = 512
  ) {
    self.format = format
    self.port = port
    self.output = output
    self.faults = faults
    self.seed = seed
    self.keptEvents = keptEvents
    self.readsPayloads = readsPayloads
    self.maximumBodyBytes = maximumBodyBytes
    self.maximumConnections = maximumConnections
  }
}

/// The totals of a collector since its creation.
package struct CollectorTotals: Sendable, Hashable {
  /// Requests for events, including those with faults.
  package internal(set) var requests = 0
  /// The bytes of their bodies as received.
  package internal(set) var bytes = 0
  /// Requests that triggered a fault.
  package internal(set) var faults = 0
  /// Events stored, each id once.
  package internal(set) var accepted = 0
  /// Events with an id that was already stored.
  package internal(set) var duplicates = 0
  /// Those of them whose name, time, decision or payload is not that of the first; only the first is stored.
  package internal(set) var conflicting = 0
  /// Rejected events.
  package internal(set) var rejected = 0
  /// Elements that are not events, and bodies that are not batches.
  package internal(set) var malformed = 0
}
