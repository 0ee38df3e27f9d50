import DualSendCore
import Foundation

/// Copies of matches, passed from the thread that merges to one that compares.
final class MatchBatch {
  private enum Kind {
    case pair, alone, duplicate
  }

  private let bytes: Int
  private let arena: ByteArena
  private var kinds: [Kind] = []

  /// - Parameter bytes: the number of bytes at which the batch is full.
  init(bytes: Int) {
    self.bytes = bytes
    arena = ByteArena(capacity: bytes + bytes / 4)
  }

  var isEmpty: Bool { kinds.isEmpty }
  var isFull: Bool { arena.count >= bytes }

  func append(_ match: LineMatch) {
    switch match {
    case .pair(let old, let new):
      old.write(to: arena)
      new.write(to: arena)
      kinds.append(.pair)
    case .alone(let record):
      record.write(to: arena)
      kinds.append(.alone)
    case .duplicate(let record):
      record.write(to: arena)
      kinds.append(.duplicate)
    }
  }

  func forEach(_ body: (LineMatch) throws -> Void) rethrows {
    var position = 0
    func next() -> LineRecord? {
      let record = LineRecord(in: arena.bytes, at: position)
      position += record?.byteCount ?? 0
      return record
    }
    for kind in kinds {
      guard let record = next() else { return }
      switch kind {
      case .pair: if let new = next() { try body(.pair(old: record, new: new)) }
      case .alone: try body(.alone(record))
      case .duplicate: try body(.duplicate(record))
      }
    }
  }

  func removeAll() {
    arena.removeAll()
    kinds.removeAll(keepingCapacity: true)
  }
}

/// A bounded queue of batches between two threads.
///
/// `@unchecked Sendable`: all state is accessed under `condition`, because both sides wait. A batch is a class, because its
/// memory is reused. It belongs to one thread at a time, and is passed on under `condition`.
final class MatchQueue: @unchecked Sendable {
  private static let maximumWaiting = 4

  private let condition = NSCondition()
  private var waiting: [MatchBatch] = []
  private var empty: [MatchBatch] = []
  private var isClosed = false
  private var hasReader = true

  /// Enqueues a batch, waiting for room, and returns an empty batch for reuse, if any.
  func exchange(_ batch: MatchBatch) -> MatchBatch? {
    condition.withLock {
      while waiting.count >= Self.maximumWaiting, hasReader { condition.wait() }
      waiting.append(batch)
      if !hasReader { waiting.removeAll() }
      condition.broadcast()
      return empty.popLast()
    }
  }

  /// Ends the queue: no more batches follow.
  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// Calls `body` with each batch until the queue is closed. After an error, the writer no longer waits for this reader.
  func forEach(_ body: (MatchBatch) throws -> Void) rethrows {
    defer {
      condition.withLock {
        hasReader = false
        condition.broadcast()
      }
    }
    while let batch = next() {
      try body(batch)
      batch.removeAll()
      condition.withLock { empty.append(batch) }
    }
  }

  private func next() -> MatchBatch? {
    condition.withLock {
      while waiting.isEmpty, !isClosed { condition.wait() }
      defer { condition.broadcast() }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }
}
