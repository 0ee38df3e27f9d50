@_spi(Tools) import DualSendCore

/// Two texts line by line: what both have, what only the first has, what only the second has.
struct LineDifference {
  private var lines: [(kind: String, text: String)] = []

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(\.offset))
    let added = Set(difference.insertions.map(\.offset))
    var (oldLine, newLine) = (0, 0)
    while oldLine < old.count || newLine < new.count {
      if removed.contains(oldLine) {
        lines.append(("removed", old[oldLine].text))
        oldLine += 1
      } else if added.contains(newLine) {
        lines.append(("added", new[newLine].text))
        newLine += 1
      } else {
        lines.append(("same", new[newLine].text))
        oldLine += 1
        newLine += 1
      }
    }
  }

  private static func lines(of text: String) -> [ExactText] {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { ExactText(String($0)) }
  }

  var json: EventValue {
    .array(lines.map { ["kind": .string($0.kind), "line": .string($0.text)] })
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
