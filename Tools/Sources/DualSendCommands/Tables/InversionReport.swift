import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// Whether a remapping table can be undone, and what stands in the way.
struct InversionReport {
  /// How many a refusal names.
  private static let maximumObstacles = 20

  private let name: String
  private let obstacles: [InversionObstacle]

  init(of table: RemappingTable, name: String) {
    self.name = name
    obstacles = table.inversionObstacles
  }

  /// One line; of the obstacles it names the first.
  var text: String {
    guard let first = obstacles.first else {
      return "\(name) can be undone where no old event has a name or key that it writes: dualsend remap --inverse"
    }
    let others = obstacles.count - 1
    return "\(name) cannot be undone: \(first)" + (others > 0 ? ", and \(others.counted("more obstacle"))" : "")
  }

  var json: EventValue {
    [
      "file": .string(name), "isInvertible": .bool(obstacles.isEmpty),
      "obstacles": .array(obstacles.map { .string($0.description) }),
    ]
  }

  /// Why the table was not undone.
  var refusal: DocumentError {
    DocumentError([
      DocumentDiagnostic(
        .error, .notInvertible, "the table cannot be undone", file: name, notes: lines,
        help: "only renames and constants can; `dualsend validate --format json` names all that stands in the way")
    ])
  }

  private var lines: [String] {
    let first = obstacles.prefix(Self.maximumObstacles).map(\.description)
    return first + (obstacles.count > first.count ? ["and \((obstacles.count - first.count).grouped) more"] : [])
  }
}
