import DualSendCore

/// Validates documents that are fetched, offered or stored.
struct RolloutValidator: Sendable {
  /// A valid document.
  enum Admission: Sendable {
    case new(VerifiedRollout)
    /// The known content, possibly with other bytes or another signature.
    case known(VerifiedRollout.Text)
  }

  let publicKeys: [RolloutPublicKey]
  let verifier: RolloutSignatureVerifier?
  let maximumBytes: Int
  let allowsAnyRevision: Bool

  init(_ options: RemoteConfigFetcher.Options) {
    publicKeys = options.publicKeys
    verifier = options.verifier
    maximumBytes = options.maximumBytes
    allowsAnyRevision = options.allowsAnyRevision
  }

  /// Validates bytes from a server or the app.
  ///
  /// - Parameters:
  ///   - text: the document and its signature.
  ///   - known: the newest rollout, in force or pending.
  ///   - time: the trusted time, for schedules.
  func admit(
    _ text: VerifiedRollout.Text, known: VerifiedRollout, at time: Int64?
  ) throws(RemoteConfigFetcher.Failure) -> Admission {
    try check(text)
    // The same bytes were read before.
    if let knownText = known.text, knownText.bytes == text.bytes { return .known(text) }
    let document = try read(text)
    if let knownRevision = known.bindingRevision, !allowsAnyRevision {
      guard document.revision >= knownRevision else {
        throw .replayed(revision: document.revision, known: knownRevision)
      }
    }
    if known.bindingRevision == document.revision, let knownText = known.text {
      if Self.areEqual(text.bytes, knownText.bytes) { return .known(text) }
      guard allowsAnyRevision else { throw .conflict(revision: document.revision) }
    }
    return .new(VerifiedRollout(RolloutSnapshot(document, at: time), text: text, source: .fresh))
  }

  /// Reads the document of an earlier launch; `nil` if none is stored.
  func readStored(_ record: RolloutRecord) throws(RemoteConfigFetcher.Failure) -> RolloutSnapshot? {
    guard let text = record.text else { return nil }
    try check(text)
    return RolloutSnapshot(try read(text), at: record.trustedTime)
  }

  /// Checks the size and the signature before parsing.
  private func check(_ text: VerifiedRollout.Text) throws(RemoteConfigFetcher.Failure) {
    guard text.bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    guard !publicKeys.isEmpty else { return }
    guard let signatureText = text.signature else { throw .unsigned }
    guard let signature = RolloutSignature(base64: signatureText) else { throw .brokenSignature }
    guard let verifier else { throw .noVerifier }
    guard publicKeys.contains(where: { verifier.accepts(signature, of: text.bytes, by: $0) }) else {
      throw .wronglySigned
    }
  }

  private func read(_ text: VerifiedRollout.Text) throws(RemoteConfigFetcher.Failure) -> RolloutDocument {
    do throws(DocumentError) { return try RolloutDocument(reading: text.bytes) } catch { throw .invalid(error) }
  }

  /// Whether two documents are equal except for white space and the order of keys.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left == right { return true }
    let reader = JSONReader()
    guard let left = try? reader.value(left), let right = try? reader.value(right) else { return false }
    return left == right
  }
}

/// How an app with one document treats another, by their revisions.
public enum RevisionStep: Sendable, Hashable {
  /// The revision rises: the document is accepted.
  case rises
  /// The revision stays, and the documents differ only in white space and the order of keys: nothing changes.
  case saysTheSame
  /// The revision stays, and the content differs: the document is refused.
  case conflicts
  /// The revision falls: the document is refused.
  case falls

  /// Compares two documents and their bytes.
  public init(
    from known: RolloutDocument, _ knownBytes: [UInt8], to document: RolloutDocument, _ bytes: [UInt8]
  ) {
    if document.revision != known.revision {
      self = document.revision > known.revision ? .rises : .falls
    } else {
      self = RolloutValidator.areEqual(bytes, knownBytes) ? .saysTheSame : .conflicts
    }
  }
}
