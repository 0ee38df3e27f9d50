#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The mark of a launch that has not lasted long enough yet: a file that its process holds a lock on.
///
/// The system releases the lock (`flock`) however the process ends. A mark without a lock is therefore one of a dead launch;
/// neither a clock nor a process ID is needed.
public final class LaunchMark: Sendable {
  let path: String
  private let descriptor: Int32

  /// Takes over an open, locked file.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Deletes the mark: an adapter that is released has not crashed.
  deinit {
    unlink(path)
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
