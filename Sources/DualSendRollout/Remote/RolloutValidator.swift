import DualSendCore

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
    try check(text)
    // What was proved once, in this run or an earlier one, is not proved again.
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

  /// Reads what an earlier run has stored; `nil` if it stored no document.
  ///
  /// What that run proved is not proved again, and what it compiled is not even read. A signature covers the document
  /// alone, so where keys are configured the compiled form proves nothing: the document is read and compiled.
  func readStored(_ record: RolloutRecord) throws(RemoteConfigFetcher.Failure) -> RolloutSnapshot? {
    guard let text = record.text else { return nil }
    try check(text)
    if publicKeys.isEmpty, record.isProved, let compiled = record.compiled.flatMap(CompiledRollout.init(encoded:)) {
      return RolloutSnapshot(StoredDocument(text.bytes), at: record.trustedTime, compiled)
    }
    return RolloutSnapshot(try read(text, isProved: record.isProved), at: record.trustedTime)
  }

  /// The form in which the next run need not compile a rollout; `nil` if it would not use it.
  func compiledForm(of rollout: VerifiedRollout) -> [UInt8]? {
    publicKeys.isEmpty && rollout.text != nil ? rollout.snapshot.compiled?.encoded : nil
  }

  /// Refuses bytes before anything of them is parsed: too many, or without a signature where one is asked for.
  private func check(_ text: VerifiedRollout.Text) throws(RemoteConfigFetcher.Failure) {
    guard text.bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    guard !publicKeys.isEmpty else { return }
    guard let signatureText = text.signature else { throw .unsigned }
    guard let signature = RolloutSignature(base64: signatureText) else { throw .brokenSignature }
    guard publicKeys.contains(where: { $0.accepts(signature, of: text.bytes) }) else { throw .wronglySigned }
  }

  /// - Parameter isProved: whether these bytes were proved before, so that reading them is enough.
  private func read(
    _ text: VerifiedRollout.Text, isProved: Bool = false
  ) throws(RemoteConfigFetcher.Failure) -> RolloutDocument {
    do throws(DocumentError) {
      return isProved ? try RolloutDocument(proved: text.bytes) : try RolloutDocument(reading: text.bytes)
    } catch { throw .invalid(error) }
  }

  /// Whether two documents are equal but for white space and the order of keys.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left == right { return true }
    let reader = JSONReader()
    guard let left = try? reader.value(left), let right = try? reader.value(right) else { return false }
    return left == right
  }
}

/// What an app that has one document does with another, as far as their revisions decide.
public enum RevisionStep: Sendable, Hashable {
  /// The revision rises: the document is taken.
  case rises
  /// The revision stays, and the documents differ in nothing but white space and the order of keys: nothing changes.
  case saysTheSame
  /// The revision stays, and the documents differ: refused.
  case conflicts
  /// The revision falls: refused.
  case falls

  /// Compares two documents that were read from these bytes.
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
