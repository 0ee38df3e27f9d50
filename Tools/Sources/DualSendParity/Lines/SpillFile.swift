import Foundation

/// An anonymous temporary file for data that does not fit into memory.
///
/// It is unlinked right after it is created, so that no other process can open it and the system frees it when this
/// process ends.
final class SpillFile {
  /// The range of bytes of one `append`.
  struct Block {
    fileprivate let offset: Int
    let count: Int

    /// A part of the block.
    func part(_ range: Range<Int>) -> Block {
      Block(offset: offset + range.lowerBound, count: range.count)
    }
  }

  private let descriptor: Int32
  private var size = 0

  /// - Throws: ``ParityError`` if no file can be created in the temporary folder.
  init() throws {
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
  func append(_ bytes: UnsafeRawBufferPointer) throws -> Block {
    var rest = bytes
    var offset = size
    while !rest.isEmpty {
      let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Self.failure(FileManager.default.temporaryDirectory.path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      offset += written
    }
    defer { size = offset }
    return Block(offset: size, count: bytes.count)
  }

  /// Appends a block to the arena.
  ///
  /// - Throws: ``ParityError``
  func read(_ block: Block, into arena: ByteArena) throws {
    try arena.append(block.count) { target in
      var filled = 0
      while filled < block.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: target[filled...])
        let count = pread(descriptor, rest.baseAddress, rest.count, off_t(block.offset + filled))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.failure(FileManager.default.temporaryDirectory.path) }
        filled += count
      }
    }
  }

  private static func failure(_ folder: String) -> ParityError {
    ParityError(reason: "the temporary folder \(folder) cannot hold their lines: \(String(cString: strerror(errno)))")
  }
}
