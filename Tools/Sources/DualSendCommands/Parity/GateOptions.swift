import ArgumentParser
package import DualSendParity

/// The options that set how much may fail parity, and with what confidence.
package struct GateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The largest share of each event that may fail, such as 0.1%; 0% requires only that no failure is seen. The default \
      is 0% for `parity`, and 0.1% for `console` and `plan --parity`.
      """,
      valueName: "share"),
    transform: { text in
      guard let limit = MismatchLimit(text) else {
        throw ValidationError("`\(text)` is not a share such as 0.1% or 0.001")
      }
      return limit
    })
  var maxMismatch: MismatchLimit?
  @Option(
    help: ArgumentHelp("The number of times that a growing recording is checked until it passes.", valueName: "count"))
  var looks = 1
  @Option(help: ArgumentHelp("The number of broken lines allowed in both streams together.", valueName: "count"))
  var maxMalformed = 0

  func validate() throws {
    guard (1...1_000_000).contains(looks) else { throw ValidationError("--looks must be at least 1") }
    guard maxMalformed >= 0 else { throw ValidationError("--max-malformed must not be negative") }
  }

  /// - Parameter limit: the limit without `--max-mismatch`.
  package func gate(otherwise limit: MismatchLimit) -> ParityGate {
    ParityGate(limit: maxMismatch ?? limit, looks: looks, maximumMalformed: maxMalformed)
  }
}
