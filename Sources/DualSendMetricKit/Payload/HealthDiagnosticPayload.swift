public import DualSendCore

/// What `MXDiagnosticPayload.jsonRepresentation()` says, with types.
///
/// Keys of a later system are kept in ``unknown``.
public struct HealthDiagnosticPayload: Sendable, ReadablePayload {
  /// When the payload begins, as MetricKit writes it; without a zone it is the device's time.
  public internal(set) var begin: String?
  /// When the payload ends, in the same way.
  public internal(set) var end: String?
  /// The diagnostics, kind by kind as the payload has them.
  public internal(set) var diagnostics: [HealthDiagnostic] = []
  /// What this version does not know, by its place.
  public internal(set) var unknown: [String: EventValue] = [:]
  /// Warnings about single texts, sorted by place, at most 100 and one that counts the others.
  public internal(set) var findings: [DocumentDiagnostic] = []
  /// How many such texts there are.
  public internal(set) var textCounts = HealthTextCounts()

  /// Reads a payload of at most 4 MiB. A call stack of more than 547 frames, one in the other, is cut off there,
  /// and that is counted.
  ///
  /// - Parameters:
  ///   - name: what errors call the payload.
  ///   - numberFormat: how the device writes numbers, for those that the payload's own texts leave open.
  /// - Throws: what is malformed, each with its place: text that is not JSON, or a known key with a value that cannot
  ///   stand there.
  public init(
    reading bytes: some Sequence<UInt8>, name: String? = nil, numberFormat: HealthNumberFormat? = nil
  ) throws(DocumentError) {
    self = try PayloadReader.read(Array(bytes), name: name, format: numberFormat)
  }

  init(_ members: [JSONNode.Member], _ reader: inout PayloadReader) {
    let root = EventPath()
    for member in members {
      let place = root.appending(member.key)
      if let kind = HealthDiagnostic.Kind.allCases.first(where: { $0.payloadKey.isExactly(member.key) }) {
        for element in reader.elements(member.value, at: place) {
          diagnostics.append(reader.diagnostic(kind, element.node, at: element.path))
        }
        continue
      }
      switch member.key {
      case "timeStampBegin": begin = reader.text(member.value, at: place)
      case "timeStampEnd": end = reader.text(member.value, at: place)
      default: reader.keep(member, at: root)
      }
    }
  }
}
