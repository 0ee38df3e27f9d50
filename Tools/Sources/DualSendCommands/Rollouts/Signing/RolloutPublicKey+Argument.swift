import ArgumentParser
import DualSendRollout

extension RolloutPublicKey {
  /// Reads a key as somebody names it on a command line.
  static func argument(_ text: String) throws -> RolloutPublicKey {
    guard let key = RolloutPublicKey(base64: text) else {
      throw ValidationError("`\(text)` is not a public key of 32 bytes in base64")
    }
    return key
  }
}
