#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The mark of a launch that has not lasted long enough yet: a file that its process holds a lock on.
///
/// The lock is the system's (`flock`) and goes with the process however that ends, so that no clock and no process number
/// is needed to tell a dead launch from one that is under way in another process.
public final class LaunchMark: Sendable {
  let path: String
  private let descriptor: Int32

  /// Takes over an open, locked file.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// An adapter that is let go of has ended well: its mark goes with it.
  deinit {
    unlink(path)
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
