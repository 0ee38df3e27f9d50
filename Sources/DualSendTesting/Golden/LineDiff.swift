import DualSendCore

/// The line difference of two texts: `-` for removed and `+` for added lines, with context.
///
/// Ignores trailing commas if there are other differences, so that adding a last member to an object changes one line,
/// not two.
struct LineDiff: CustomStringConvertible {
  private static let contextLines = 3
  private let lines: [(mark: Character, text: String)]

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    let exact = new.difference(from: old)
    let withoutCommas = new.map(\.withoutComma).difference(from: old.map(\.withoutComma))
    let difference = withoutCommas.isEmpty ? exact : withoutCommas
    lines = difference.steps(from: old.count, to: new.count).map { step in
      (step.kind.mark, step.kind == .removed ? old[step.old].text : new[step.new].text)
    }
  }

  private static func lines(of text: String) -> [ExactText] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { ExactText(String($0)) }
  }

  /// The changed lines with context; `…` marks omitted lines.
  var description: String {
    let changed = lines.indices.filter { lines[$0].mark != " " }
    let shown = Set(changed.flatMap { $0 - Self.contextLines...$0 + Self.contextLines })
    var result: [String] = []
    var last: Int?
    for index in lines.indices where shown.contains(index) {
      if index > (last ?? -1) + 1 { result.append("…") }
      result.append("\(lines[index].mark) \(lines[index].text)")
      last = index
    }
    return result.joined(separator: "\n")
  }
}

extension ExactText {
  fileprivate var withoutComma: ExactText { text.hasSuffix(",") ? ExactText(String(text.dropLast())) : self }
}
