import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendTables

/// Whether a remapping table is invertible, and the obstacles.
struct InversionReport {
  /// The limit of obstacles in a refusal.
  private static let maximumObstacles = 20

  private let name: String
  private let obstacles: [InversionObstacle]

  init(of table: RemappingTable, name: String) {
    self.name = name
    obstacles = table.inversionObstacles
  }

  /// One line, with the first obstacle.
  var text: String {
    guard let first = obstacles.first else {
      return "\(name) can be undone if no old event has a name or key that it writes: dualsend remap --inverse"
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

  /// The error for a table that cannot be undone.
  var refusal: DocumentError {
    DocumentError([
      DocumentDiagnostic(
        .error, .notInvertible, "the table cannot be undone", file: name, notes: lines,
        help: "only renames and constants can be undone; `dualsend validate --format json` names all obstacles")
    ])
  }

  private var lines: [String] {
    let first = obstacles.prefix(Self.maximumObstacles).map(\.description)
    return first + (obstacles.count > first.count ? ["and \((obstacles.count - first.count).grouped) more"] : [])
  }
}
