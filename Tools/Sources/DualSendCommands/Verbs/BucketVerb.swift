import ArgumentParser
import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRollout

/// `dualsend bucket`: where units stand in a rollout.
struct BucketVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "bucket",
    abstract: "Print the bucket of units, and the percentages at which they change sinks.",
    discussion: """
      A unit has the new tracker from the percentage in the third column upwards, and keeps the old logger down to \
      the one in the fourth.
      """
  )

  @Option(help: ArgumentHelp("The rollout document's salt.", valueName: "text"))
  var salt: String
  @Argument(help: ArgumentHelp("The units' IDs.", valueName: "unit"))
  var units: [String]
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if salt.isEmpty { throw ValidationError("--salt is empty, and no rollout document has an empty salt") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let bucketing = RolloutBucketing(salt: salt)
    let buckets = units.map { ($0, bucketing.bucket(of: $0).index) }
    if format == .json {
      console.result(.array(buckets.map { ["unit": .string($0.0), "bucket": .int(Int64($0.1))] }))
      return .clean
    }
    var table = TextTable([.words("unit"), .numbers("bucket"), .numbers("new from"), .numbers("old down to")])
    for (unit, bucket) in buckets {
      let shares = [bucket + 1, RolloutBucket.count - bucket].map {
        RolloutPercentage(thousandths: $0)?.description ?? ""
      }
      table.addRow([unit, "\(bucket)"] + shares)
    }
    console.result(table.text)
    return .clean
  }
}
