import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendSQL

/// `dualsend sql`: writes the comparison of `dualsend parity` as a query.
struct SQLVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Write the comparison of `dualsend parity` as SQL, for streams in a data warehouse.",
    discussion: """
      The statements read two relations with one row per line: `line_number`, from 1 in the order of the stream, and \
      `line`, its JSON text. The last statement returns one row with one text: the report of \
      `dualsend parity --format json` without `summary` and `needed`.
      With --format json, the output is {"dialect":…,"sql":…}.
      Events that carry their app's decision are judged by it, as in `dualsend parity`.
      A row of the table that SQL cannot apply exactly is refused. If only the data shows this, the query returns `refused` \
      instead of a report.
      """
  )

  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String
  @Option(help: ArgumentHelp("The engine.", valueName: "name"))
  var dialect: ComparisonQuery.Dialect
  @Option(help: ArgumentHelp("The relation of the old stream.", valueName: "relation"))
  var old = "old_lines"
  @Option(help: ArgumentHelp("The relation of the new stream.", valueName: "relation"))
  var new = "new_lines"
  @Option(
    help: ArgumentHelp("The old sink's normalisation: `none`, or a file.", valueName: "preset or file"))
  var normalise = "none"
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Count differences at this path separately; may be repeated.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var ignore: [KeyPathPattern] = []
  @OptionGroup(title: "What passes") var gate: GateOptions
  @Option(help: "Accept events without a decision that only this stream has.")
  var allowLone: MembershipOptions.Sides?
  @Option(help: ArgumentHelp(IDKeyOption.help, valueName: "key"))
  var idKey: String?
  @OptionGroup var output: FormatOption

  func validate() throws {
    for name in [old, new] where !SQLRelationName.isOne(name) {
      throw ValidationError("`\(name)` is not the name of a relation: letters, digits, `_` and dots")
    }
    if idKey?.isEmpty == true { throw ValidationError("--id-key names a parameter") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let bytes = try InputFile.bytes(remap)
    let table = try RemappingTable(bytes, name: remap)
    let normalisation = try NormalisationInSQL(normalise)
    let refused = try RefusedRows(bytes, name: remap, in: dialect).findings + normalisation.findings
    if !refused.isEmpty { throw DocumentError(refused) }
    var options = ComparisonOptions()
    (options.old, options.new, options.idKey) = (old, new, idKey)
    options.ignored = normalisation.ignored + ignore
    options.loneAllowed = Set((allowLone?.sides ?? []).map { $0 == .old ? "old" : "new" })
    let gate = gate.gate(otherwise: .none)
    (options.gate.limit, options.gate.limitText) = (gate.limit.partsPerMillion, gate.limit.description)
    (options.gate.looks, options.gate.maximumMalformed) = (gate.looks, gate.maximumMalformed)
    let text = ComparisonQuery(table, options: options).text(dialect)
    if format == .json {
      terminal.result(["dialect": .string(dialect.rawValue), "sql": .string(text)])
    } else {
      terminal.data(text)
    }
    return .clean
  }
}

extension ComparisonQuery.Dialect: ExpressibleByArgument {}
