import DualSend
package import DualSendCore
import DualSendParity
import DualSendRollout

extension DocumentDiagnostic.Code {
  /// A file is of no known kind of document.
  static let unknownDocument = DocumentDiagnostic.Code(rawValue: "DS0403")
  /// A planned rollout takes the new tracker away from units that have it.
  static let eviction = DocumentDiagnostic.Code(rawValue: "DS0404")
  /// A planned rollout leaves units that have a sink with none.
  static let sinkLoss = DocumentDiagnostic.Code(rawValue: "DS0405")
  /// Apps would refuse a planned rollout, because its revision is not higher.
  static let revisionNotRaised = DocumentDiagnostic.Code(rawValue: "DS0406")
  /// A planned rollout raises the new tracker's share although the two streams differ.
  static let advancesWithoutParity = DocumentDiagnostic.Code(rawValue: "DS0407")
  /// A rule names events that do not occur in a file of events.
  static let unseenEvents = DocumentDiagnostic.Code(rawValue: "DS0408")
  /// A rule names a version, platform or attribute that does not occur in a file of events.
  static let unseenContext = DocumentDiagnostic.Code(rawValue: "DS0409")
  /// The document to go back to has another salt, so that every unit would get another bucket.
  static let reshuffle = DocumentDiagnostic.Code(rawValue: "DS0410")
  /// The saved state of a watched rollout cannot be read or written.
  static let watchState = DocumentDiagnostic.Code(rawValue: "DS0411")
  /// A publication could not be recorded.
  package static let unrecorded = DocumentDiagnostic.Code(rawValue: "DS0412")
  /// A line of the record of publications is not an entry.
  static let badEntry = DocumentDiagnostic.Code(rawValue: "DS0413")
  /// The document is not the one recorded last.
  static let changedOutside = DocumentDiagnostic.Code(rawValue: "DS0414")
  /// Generated code on disk is out of date.
  static let outdatedCode = DocumentDiagnostic.Code(rawValue: "DS0314")
}

// MARK: - Parity

extension DocumentDiagnostic.Code {
  /// A file has no legacy event.
  static let noEvents = DocumentDiagnostic.Code(rawValue: "DS0415")
  /// More events of a name differ, are lost or are unexpected than allowed.
  static let failsParity = DocumentDiagnostic.Code(rawValue: "DS0701")
  /// Too few events were seen to show that the failures are within the limit.
  static let tooLittleEvidence = DocumentDiagnostic.Code(rawValue: "DS0702")
  /// A stream has more malformed lines than allowed.
  static let brokenLines = DocumentDiagnostic.Code(rawValue: "DS0703")
  /// There was nothing to compare.
  static let nothingCompared = DocumentDiagnostic.Code(rawValue: "DS0704")
  /// The times of a stream seem to be in another unit than milliseconds.
  static let otherTimeUnit = DocumentDiagnostic.Code(rawValue: "DS0709")
  /// Lines carry a decision that cannot be read.
  static let unreadableDecision = DocumentDiagnostic.Code(rawValue: "DS0710")
  /// Lines repeat an id with another name or payload.
  static let conflictingRepeats = DocumentDiagnostic.Code(rawValue: "DS0708")
  /// Events carry decisions that their apps cannot have made.
  static let contradictsRollout = DocumentDiagnostic.Code(rawValue: "DS0707")
  /// A report does not judge events that only one stream has.
  static let lossNotJudged = DocumentDiagnostic.Code(rawValue: "DS0705")
  /// A report measured another revision than the one in force.
  static let measuredElsewhere = DocumentDiagnostic.Code(rawValue: "DS0706")
}

// MARK: - Wording

extension Int {
  /// This part of a whole as a percentage, rounded to a hundredth: `12.34 %`; a dash for a part of nothing.
  func percentage(of whole: Int) -> String {
    ShareText(self, of: whole, decimals: 2, unit: " %").description
  }
}

extension SinkDecision.Outcome {
  /// The outcome's name in tables.
  var words: String {
    switch self {
    case .oldOnly: "old only"
    case .both: "both"
    case .newOnly: "new only"
    case .neither: "neither"
    }
  }
}
