/// A reusable, growing byte buffer.
final class ByteArena {
  private var storage: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) {
    storage = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    storage.deallocate()
  }

  /// The bytes written. Valid until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

  /// Appends bytes that `fill` writes.
  func append(_ byteCount: Int, by fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    reserve(byteCount)
    try fill(UnsafeMutableRawBufferPointer(rebasing: storage[count..<(count + byteCount)]))
    count += byteCount
  }

  func removeAll() {
    count = 0
  }

  /// Removes all bytes and frees the memory.
  func release() {
    count = 0
    storage.deallocate()
    storage = .allocate(byteCount: 0, alignment: 16)
  }

  /// Removes the first bytes and moves the rest to the front.
  func removeFirst(_ byteCount: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: storage[byteCount..<count])
    storage.copyMemory(from: rest)
    count = rest.count
  }

  private func reserve(_ byteCount: Int) {
    guard count + byteCount > storage.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(2 * storage.count, count + byteCount), alignment: 16)
    larger.copyMemory(from: bytes)
    storage.deallocate()
    storage = larger
  }
}
