import DualSendCore
import Foundation

/// An anonymous temporary file for data that does not fit into memory.
///
/// It is unlinked right after it is created, so that no other process can open it and the system frees it when this
/// process ends.
///
/// With a capacity, the oldest blocks are overwritten. Several threads may append and read.
package final class SpillFile: Sendable {
  /// The range of bytes of one `append`.
  package struct Block: Sendable {
    /// In ``SpillFile/size``.
    fileprivate let offset: Int
    package let count: Int

    /// A part of the block.
    func part(_ range: Range<Int>) -> Block {
      Block(offset: offset + range.lowerBound, count: range.count)
    }
  }

  private let descriptor: Int32
  private let capacity: Int
  /// All that was ever appended, with the gaps at the end of the file.
  private let size = Locked(0)

  /// - Parameter capacity: the most bytes of the file.
  /// - Throws: ``ParityError`` if no file can be created in the temporary folder.
  package init(capacity: Int = .max) throws {
    self.capacity = capacity
    let folder = FileManager.default.temporaryDirectory.path
    // mkstemp(3) replaces the six X with a unique name, and opens the file with mode 0600.
    var template = Array((folder + "/dualsend-parity-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Self.failure(folder) }
    unlink(template)
  }

  deinit {
    close(descriptor)
  }

  /// - Throws: ``ParityError``, for example if the disk is full.
  package func append(_ bytes: UnsafeRawBufferPointer) throws -> Block {
    guard bytes.count <= capacity else {
      throw ParityError(reason: "\(bytes.count) bytes are more than a spill file holds")
    }
    let start = size.withLock { size in
      let left = capacity - size % capacity
      let start = bytes.count > left ? size + left : size
      size = start + bytes.count
      return start
    }
    var rest = bytes
    var offset = start % capacity
    while !rest.isEmpty {
      let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Self.failure(FileManager.default.temporaryDirectory.path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      offset += written
    }
    return Block(offset: start, count: bytes.count)
  }

  /// The bytes of a block; `nil` if it was overwritten, or cannot be read.
  package func bytes(of block: Block) -> [UInt8]? {
    let bytes = try? [UInt8](unsafeUninitializedCapacity: block.count) { target, count in
      try fill(UnsafeMutableRawBufferPointer(target), from: block)
      count = block.count
    }
    // Afterwards, because another thread may overwrite it while it is read.
    return size.current - block.offset <= capacity ? bytes : nil
  }

  /// Appends a block to the arena.
  ///
  /// - Throws: ``ParityError``
  func read(_ block: Block, into arena: ByteArena) throws {
    try arena.append(block.count) { try fill($0, from: block) }
  }

  private func fill(_ target: UnsafeMutableRawBufferPointer, from block: Block) throws {
    var filled = 0
    while filled < block.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: target[filled..<block.count])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(block.offset % capacity + filled))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(FileManager.default.temporaryDirectory.path) }
      filled += count
    }
  }

  private static func failure(_ folder: String) -> ParityError {
    ParityError(reason: "the temporary folder \(folder) cannot hold their lines: \(String(cString: strerror(errno)))")
  }
}
