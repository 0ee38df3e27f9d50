/// A place for a few bytes that outlive the process: the last known good rollout, or the installation's ID.
///
/// Adopters who keep such things elsewhere (a keychain, an encrypted container) conform it; everybody else uses
/// ``FileStorage``, ``UserDefaultsStorage`` or ``InMemoryStorage``.
public protocol StateStorage: Sendable {
  /// The bytes written last; `nil` if there never were any.
  ///
  /// - Throws: whatever keeps the bytes from being read now. It must not be thrown where nothing was ever written: an
  ///   error means that there may be bytes, so that nobody takes a locked device for a first launch.
  func read() throws -> [UInt8]?

  /// Replaces the bytes, all or nothing: whoever reads, even after a crash, finds the old ones or the new ones.
  func write(_ bytes: [UInt8]) throws
}
