import Dispatch
import DualSendCore

/// Copies of matches, passed from the thread that merges to one that compares.
struct MatchBatch: Sendable {
  private enum Kind: Sendable {
    case pair, ambiguousPair, unpaired, duplicate, otherDuplicate
  }

  private let size: Int
  private var bytes: [UInt8] = []
  private var kinds: [Kind] = []

  /// - Parameter size: the number of bytes at which the batch is full.
  init(bytes size: Int) {
    self.size = size
    bytes.reserveCapacity(size + size / 4)
  }

  var isEmpty: Bool { kinds.isEmpty }
  var isFull: Bool { bytes.count >= size }

  mutating func append(_ match: LineMatch) {
    switch match {
    case .pair(let old, let new, let isAmbiguous):
      old.write(to: &bytes)
      new.write(to: &bytes)
      kinds.append(isAmbiguous ? .ambiguousPair : .pair)
    case .unpaired(let record):
      record.write(to: &bytes)
      kinds.append(.unpaired)
    case .duplicate(let record, let isOther):
      record.write(to: &bytes)
      kinds.append(isOther ? .otherDuplicate : .duplicate)
    }
  }

  /// Calls `body` with each match, whose lines are valid until it returns.
  func forEach(_ body: (LineMatch) throws -> Void) rethrows {
    try bytes.withUnsafeBytes { bytes in
      var position = 0
      func next() -> LineRecord? {
        let record = LineRecord(in: bytes, at: position)
        position += record?.byteCount ?? 0
        return record
      }
      for kind in kinds {
        guard let record = next() else { return }
        switch kind {
        case .pair, .ambiguousPair:
          if let new = next() { try body(.pair(old: record, new: new, isAmbiguous: kind == .ambiguousPair)) }
        case .unpaired: try body(.unpaired(record))
        case .duplicate: try body(.duplicate(record, isOther: false))
        case .otherDuplicate: try body(.duplicate(record, isOther: true))
        }
      }
    }
  }

  /// Empties the batch and keeps its memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
  }
}

/// A bounded queue of batches between two threads.
final class MatchQueue: Sendable {
  private static let maximumWaiting = 4

  private struct State: Sendable {
    var waiting: [MatchBatch] = []
    var empty: [MatchBatch] = []
    var hasReader = true
  }

  private let state = Locked(State())
  /// One signal for each batch that waits, and one for the end.
  private let filled = DispatchSemaphore(value: 0)
  /// One signal for each batch that may come. Begins at 0, because a semaphore must not end below its first value.
  private let room = DispatchSemaphore(value: 0)

  init() {
    for _ in 0..<Self.maximumWaiting { room.signal() }
  }

  /// Enqueues a batch, waiting for room, and returns an empty batch for reuse, if any.
  func exchange(_ batch: MatchBatch) -> MatchBatch? {
    room.wait()
    let (hasReader, empty) = state.withLock { state in
      if state.hasReader { state.waiting.append(batch) }
      return (state.hasReader, state.empty.popLast())
    }
    // Without a reader, no batch leaves the queue, and the next call must not wait.
    if hasReader { filled.signal() } else { room.signal() }
    return empty
  }

  /// Ends the queue: no more batches follow.
  func close() {
    filled.signal()
  }

  /// Calls `body` with each batch until the queue is closed. After an error, the writer no longer waits for this reader.
  func forEach(_ body: (MatchBatch) throws -> Void) rethrows {
    defer {
      state.withLock { state in
        state.hasReader = false
        state.waiting = []
      }
      room.signal()
    }
    while var batch = next() {
      try body(batch)
      batch.removeAll()
      state.withLock { [batch] in $0.empty.append(batch) }
    }
  }

  private func next() -> MatchBatch? {
    filled.wait()
    let batch = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    if batch != nil { room.signal() }
    return batch
  }
}
