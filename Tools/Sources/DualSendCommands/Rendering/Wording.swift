import DualSend
import DualSendParity
@_spi(Tools) import DualSendRollout

extension Int {
  /// The number with its noun: `1 error`, `2 errors`.
  func counted(_ noun: String) -> String {
    "\(grouped) \(noun)" + (self == 1 ? "" : "s")
  }

  /// This part of a whole as a percentage, rounded to a hundredth: `12.34 %`; a dash for a part of nothing.
  func percentage(of whole: Int) -> String {
    ShareText(self, of: whole, decimals: 2, unit: " %").description
  }
}

extension SinkDecision.Outcome {
  /// The outcome as tables call it.
  var words: String {
    switch self {
    case .oldOnly: "old only"
    case .both: "both"
    case .newOnly: "new only"
    case .neither: "neither"
    }
  }
}
