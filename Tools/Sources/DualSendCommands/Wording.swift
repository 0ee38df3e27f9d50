import DualSend
import DualSendParity
import DualSendRollout

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
