/// Memory that is written from front to back, emptied and used again, so that a run takes it from the system once.
final class ByteArena {
  private var storage: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) {
    storage = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    storage.deallocate()
  }

  /// What was written. Valid until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

  func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: bytes)
    count += bytes.count
  }

  /// Lets `fill` write so many bytes at the end.
  func append(_ byteCount: Int, by fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    reserve(byteCount)
    try fill(UnsafeMutableRawBufferPointer(rebasing: storage[count..<(count + byteCount)]))
    count += byteCount
  }

  func removeAll() {
    count = 0
  }

  /// Gives the memory back as well.
  func release() {
    count = 0
    storage.deallocate()
    storage = .allocate(byteCount: 0, alignment: 16)
  }

  /// Takes the first bytes away; the rest moves to the front.
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
