import DualSendCore
import DualSendParity
import DualSendRemapping

/// The remapping table that the console compares with.
struct LiveTable: Sendable {
  /// The position and text of a row.
  struct Row: Sendable, Hashable {
    let line: Int
    /// The row's own line, without white space around it.
    let text: String

    /// The row for the page.
    var json: EventValue { ["line": .int(Int64(line)), "text": .string(text)] }
  }

  let table: RemappingTable
  /// The normalisation of both sides before the comparison.
  let normalisation: Normalisation
  /// The differences between two recordings of the old stream; `nil` if noise was not measured.
  let noise: ParityReport?
  /// The row of an event that wrote a value of the new payload; `nil` for a value that no row wrote.
  let row: @Sendable (_ event: String, RemappingTrace.Origin) -> Row?

  init(
    _ table: RemappingTable, normalisation: Normalisation = .none, noise: ParityReport? = nil,
    row: @escaping @Sendable (_ event: String, RemappingTrace.Origin) -> Row?
  ) {
    (self.table, self.normalisation, self.noise, self.row) = (table, normalisation, noise, row)
  }
}
