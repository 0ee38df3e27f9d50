import DualSendCommands
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// What one rollout text changed of another, in a line.
struct RolloutChange: CustomStringConvertible {
  /// The most changes that are named; the others are counted.
  private static let named = 3

  /// Such as `top level, new tracker: 5 % → 20 %`, or the number of changed lines.
  let description: String

  init(from before: String, to after: String) {
    let (old, new) = (Self.shares(before), Self.shares(after))
    var changes = new.compactMap { share -> String? in
      let earlier = old.first { $0.name == share.name }?.share
      guard earlier != share.share else { return nil }
      return "\(share.name): \(earlier.map { "\($0)" } ?? "none") → \(share.share)"
    }
    changes += old.filter { share in !new.contains { $0.name == share.name } }.map { "\($0.name): \($0.share) → none" }
    guard changes.isEmpty else {
      let more = changes.count > Self.named ? ", and \(changes.count - Self.named) more" : ""
      description = changes.prefix(Self.named).joined(separator: "; ") + more
      return
    }
    let (added, removed) = LineDifference(from: before, to: after).counts { !$0.contains(/^\s*"revision"\s*:/) }
    description = added + removed == 0 ? "the same text" : "\(added.counted("line")) added, \(removed) removed"
  }

  /// The shares by name. Of several rules with one name, the later ones have a number.
  private static func shares(_ text: String) -> [(name: String, share: RolloutPercentage)] {
    var seen: [String: Int] = [:]
    return ((try? RolloutFlags(text))?.flags ?? []).map { flag in
      seen[flag.words, default: 0] += 1
      let number = seen[flag.words] ?? 1
      return (number == 1 ? flag.words : "\(flag.words) (\(number))", flag.share)
    }
  }
}
