/// A Swift program of several files whose log calls are known, because it was made from them.
///
/// ```swift
/// let program = RandomProgram(seed: 7)
/// for file in program.files { try file.text.write(…) }
/// // An inventory that calls one of `program.calls` exact says just its variants, and never an open one.
/// ```
///
/// What a function is given (`c0`, `c1`, …) is open to whoever reads it: each call sends one event for some of all
/// combinations. `hidden` stands for other modules: it belongs to the program, and not to what is read.
struct RandomProgram: Sendable {
  struct File: Sendable {
    let name: String
    let text: String
  }

  let seed: UInt64
  let files: [File]
  let calls: [KnownCall]
  /// What makes the program run: everything that it calls and that is not to be read, and a `main.swift` that calls each
  /// function with everything that it can be given.
  let hidden: [File]
  /// What a run has to record of each function whose call is known, by the function's number.
  let sent: [Int: Set<ProgramEvent>]

  init(seed: UInt64, sites count: Int = 14) {
    self.seed = seed
    let program = ProgramWriter(seed: seed)
    program.declare(RunnableProgram.logging)
    let sites = (0..<count).map { _ in Self.site(in: program) }
    var functions: [RunnableProgram.Function] = []
    var sent: [Int: Set<ProgramEvent>] = [:]
    for (number, site) in sites.enumerated() {
      functions.append(Self.declare(site, number, in: program))
      if !site.isOpen { sent[number] = site.sent }
      let index = ProgramWriter.unmarked(site.mark + " ").mark ?? 0
      program.set(
        ProgramWriter.Mark(isOpen: site.isOpen, isHard: site.isHard, events: site.isOpen ? [] : site.sent), at: index)
    }
    self.sent = sent
    (files, calls) = Self.place(program)
    hidden = RunnableProgram.files(of: functions, hidden: program.hidden)
  }

  private static func site(in program: ProgramWriter) -> SiteWriter {
    let type = program.typeName()
    let context: SiteWriter.Context =
      switch program.random.number(below: 3) {
      case 0: .instance(type: type)
      case 1: .type(type)
      default: .free
      }
    let site = SiteWriter(program, context: context)
    if program.random.isHit(oneIn: 4) { site.openCall() } else { site.call() }
    return site
  }

  /// Writes a site's function into some file, and its type into another.
  private static func declare(
    _ site: SiteWriter, _ number: Int, in program: ProgramWriter
  ) -> RunnableProgram.Function {
    let parameters = site.choices.filter { !$0.isCondition }
    let signature = parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    let header = "func site\(number)(\(signature)) {"
    let decoy = ["  // logger.logEvents(name: \"decoy\(number)\", parameters: [[:]])"]
    let body = (program.random.isHit(oneIn: 3) ? decoy : []) + site.statements.lines() + ["}"]
    let receiver: String
    switch site.context {
    case .free:
      program.declare([header] + body, in: site.file)
      receiver = ""
    case .instance(let type):
      program.declare(members(of: type, kind: "struct"))
      program.declare(["extension \(type) {"] + ([header] + body).indented() + ["}"], in: site.file)
      receiver = "\(type)()."
    case .type(let type):
      program.declare(members(of: type, kind: "enum"))
      program.declare(["extension \(type) {"] + (["static " + header] + body).indented() + ["}"], in: site.file)
      receiver = "\(type)."
    }
    return RunnableProgram.Function(number: number, call: "\(receiver)site\(number)", parameters: parameters)
  }

  private static func members(of type: String, kind: String) -> [String] {
    ["\(kind) \(type) {", "  static let screen = \"static.\(type)\""]
      + (kind == "struct" ? ["  let screen = \"instance.\(type)\""] : []) + ["}"]
  }

  /// Takes the marks out of the lines, and remembers where they stood.
  private static func place(_ program: ProgramWriter) -> (files: [File], calls: [KnownCall]) {
    var files: [File] = []
    var calls: [KnownCall] = []
    for (number, marked) in program.files.enumerated() {
      let name = "File\(number).swift"
      var lines: [String] = ["import Foundation", ""]
      for line in marked {
        let (line, mark) = ProgramWriter.unmarked(line)
        lines.append(line)
        guard let mark else { continue }
        calls.append(
          KnownCall(
            file: name, line: lines.count, isOpen: program.marks[mark].isOpen, isHard: program.marks[mark].isHard,
            variants: KnownVariant.merging(program.marks[mark].events)))
      }
      files.append(File(name: name, text: lines.joined(separator: "\n")))
    }
    return (files, calls)
  }
}
