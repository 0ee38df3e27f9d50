import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendGuard
import DualSendParity

/// The options with which `dualsend simulate` runs a policy of `guard`.
struct ForecastOptions: ParsableArguments {
  private static let runs = 500

  @Option(help: ArgumentHelp("Instead of events, run this policy of `guard` at a given traffic.", valueName: "file"))
  var policy: String?
  @Option(help: ArgumentHelp("With --policy: how many events all units send a day.", valueName: "count"))
  var eventsPerDay: Int?
  @Option(
    help: ArgumentHelp(
      "With --policy: how many of the rarest event that a bound of each event covers; by default a hundredth.",
      valueName: "count"))
  var rarestPerDay: Int?
  @Option(help: ArgumentHelp("With --policy: how many units there are.", valueName: "count"))
  var units = 100_000
  @Option(
    help: ArgumentHelp("With --policy: the share of events of the new tracker that fail.", valueName: "share"),
    transform: { text in
      guard let share = MismatchLimit(text), share.partsPerMillion < 1_000_000 else {
        throw ValidationError("`\(text)` is not a share below 100% such as 1%")
      }
      return share
    })
  var fault = MismatchLimit.none

  init() {}

  func validate() throws {
    if policy == nil, eventsPerDay != nil || rarestPerDay != nil || fault != .none {
      throw ValidationError("--events-per-day, --rarest-per-day and --fault go with --policy")
    }
    guard policy != nil else { return }
    guard let eventsPerDay else { throw ValidationError("--policy needs --events-per-day") }
    guard (1...1_000_000_000).contains(eventsPerDay), (0...eventsPerDay).contains(rarestPerDay ?? 0), units > 0 else {
      throw ValidationError("--events-per-day is 1 to 1000000000, --rarest-per-day no more, --units at least 1")
    }
  }

  /// Simulates the policy, and prints its duration and the faults found.
  func run(_ path: String, format: OutputFormat, on terminal: Terminal) throws {
    let policy = try GuardPolicy(try InputFile.bytes(path), name: path)
    let all = Double(eventsPerDay ?? 0)
    let traffic = GuardForecast.Traffic(
      eventsPerDay: all, rarestPerDay: rarestPerDay.map(Double.init) ?? all / 100, units: Double(units),
      fault: fault.fraction)
    let forecast = GuardForecast(of: policy, traffic, runs: Self.runs, seed: 1)
    if format == .json { terminal.result(forecast.json) } else { terminal.result(forecast.text(policy)) }
  }
}
