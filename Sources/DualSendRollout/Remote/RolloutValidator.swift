@_spi(Tools) import DualSendCore

/// Lets a document in, or says why not: the one door for fetched, offered and stored bytes.
struct RolloutValidator: Sendable {
  /// What a document that may come in is.
  enum Admission: Sendable {
    case new(VerifiedRollout)
    /// It says what is known already, perhaps in other bytes or with another signature.
    case known(VerifiedRollout.Text)
  }

  let publicKeys: [RolloutPublicKey]
  let maximumBytes: Int
  let allowsAnyRevision: Bool

  init(_ options: RemoteConfigFetcher.Options) {
    publicKeys = options.publicKeys
    maximumBytes = options.maximumBytes
    allowsAnyRevision = options.allowsAnyRevision
  }

  /// Checks bytes that came from outside.
  ///
  /// - Parameters:
  ///   - known: the newest rollout so far, in force or not yet.
  ///   - time: the trusted time, for schedules.
  func admit(
    _ text: VerifiedRollout.Text, known: VerifiedRollout, at time: Int64?
  ) throws(RemoteConfigFetcher.Failure) -> Admission {
    let document = try readSigned(text)
    if let knownDocument = known.binding, !allowsAnyRevision {
      guard document.revision >= knownDocument.revision else {
        throw .replayed(revision: document.revision, known: knownDocument.revision)
      }
    }
    if known.binding?.revision == document.revision, let knownText = known.text {
      if Self.say(text.bytes, sameAs: knownText.bytes) { return .known(text) }
      guard allowsAnyRevision else { throw .conflict(revision: document.revision) }
    }
    return .new(VerifiedRollout(RolloutSnapshot(document, at: time), text: text, source: .fresh))
  }

  /// Reads a document whose signature, where one is asked for, is right. Nothing of other bytes is even parsed.
  ///
  /// - Parameter isProved: whether these bytes were proved before, so that reading them is enough.
  func readSigned(
    _ text: VerifiedRollout.Text, isProved: Bool = false
  ) throws(RemoteConfigFetcher.Failure) -> RolloutDocument {
    guard text.bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    if !publicKeys.isEmpty {
      guard let signatureText = text.signature else { throw .unsigned }
      guard let signature = RolloutSignature(base64: signatureText),
        publicKeys.contains(where: { $0.accepts(signature, of: text.bytes) })
      else { throw .wronglySigned }
    }
    do throws(DocumentError) {
      return isProved ? try RolloutDocument(proved: text.bytes) : try RolloutDocument(reading: text.bytes)
    } catch { throw .invalid(error) }
  }

  /// Whether two documents differ in nothing but white space and the order of keys.
  private static func say(_ left: [UInt8], sameAs right: [UInt8]) -> Bool {
    if left == right { return true }
    let reader = JSONReader()
    guard let left = try? reader.value(left), let right = try? reader.value(right) else { return false }
    return left == right
  }
}
