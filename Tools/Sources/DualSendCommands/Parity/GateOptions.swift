import ArgumentParser
package import DualSendParity

/// The options that say how much may fail parity, and how surely that has to be shown.
package struct GateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The largest share of each event that may fail, such as 0.1%; 0% asks that none is seen to, as `parity` does \
      without this. `console` and `plan --parity` take 0.1% then.
      """,
      valueName: "share"),
    transform: { text in
      guard let limit = MismatchLimit(text) else {
        throw ValidationError("`\(text)` is not a share such as 0.1% or 0.001")
      }
      return limit
    })
  var maxMismatch: MismatchLimit?
  @Option(help: ArgumentHelp("How often a growing recording is looked at until it passes.", valueName: "count"))
  var looks = 1
  @Option(help: ArgumentHelp("How many broken lines both streams may have.", valueName: "count"))
  var maxMalformed = 0

  init() {}

  func validate() throws {
    guard (1...1_000_000).contains(looks) else { throw ValidationError("--looks is a count from 1 on") }
    guard maxMalformed >= 0 else { throw ValidationError("--max-malformed is a count") }
  }

  /// - Parameter limit: what holds without `--max-mismatch`.
  package func gate(otherwise limit: MismatchLimit) -> ParityGate {
    ParityGate(limit: maxMismatch ?? limit, looks: looks, maximumMalformed: maxMalformed)
  }
}
