import DualSendSource
import Foundation
import Testing

@Suite("Random programs whose log calls are known", .timeLimit(.minutes(5)))
struct RandomInventoryTests {
  /// `DUALSEND_INVENTORY_SEEDS` for longer runs.
  private static let seeds = ProcessInfo.processInfo.environment["DUALSEND_INVENTORY_SEEDS"].flatMap(UInt64.init) ?? 12

  /// A wrong *exact* is a defect of the highest kind.
  @Test("are never called exact wrongly", arguments: 1...seeds)
  func exact(seed: UInt64) {
    let program = RandomProgram(seed: seed)
    let calls = Sources(files: program.files.map { ($0.name, $0.text) }).calls
    for call in calls where call.certainty == .exact {
      guard let truth = program.calls.first(where: { $0.file == call.file && $0.line == call.line }) else { continue }
      #expect(!truth.isOpen, "\(call.file):\(call.line) of seed \(seed)")
      let found = Set(
        call.events.map { event in
          KnownVariant(
            name: event.name, required: Set(event.parameters.filter { !$0.isOptional }.map(\.key)),
            optional: Set(event.parameters.filter(\.isOptional).map(\.key)))
        })
      // The contents of a value of unknown type are not listed.
      let open = Set(call.events.flatMap(\.parameters).filter { $0.types.contains(.unknown) }.map(\.key))
      let (claimed, sent) = (Set(found.map { $0.without(open) }), Set(truth.variants.map { $0.without(open) }))
      // A key that is always sent may be called one that may be missing.
      #expect(
        truth.isOpen
          || Set(claimed.map(\.name)) == Set(sent.map(\.name))
            && sent.allSatisfy { sent in claimed.contains { $0.covers(sent) } },
        "\(call.file):\(call.line) of seed \(seed): \(call.summary)")
    }
  }

  @Test("are found, every call of them, and a good part is understood, however awkward they are")
  func found() {
    var (known, exact) = (0, 0)
    for seed in 1...Self.seeds {
      let program = RandomProgram(seed: seed)
      let calls = Sources(files: program.files.map { ($0.name, $0.text) }).calls
      for truth in program.calls {
        let found = calls.first { $0.file == truth.file && $0.line == truth.line }
        // What a function hands on that is called, its callers log.
        #expect(found != nil || calls.contains { !$0.via.isEmpty }, "\(truth.file):\(truth.line) of seed \(seed)")
        if !truth.isOpen {
          known += 1
          if found?.certainty == .exact { exact += 1 }
        }
      }
    }
    #expect(Double(exact) / Double(known) > 0.2, "\(exact) of \(known)")
  }
}

extension KnownVariant {
  /// Whether it allows all that another sends.
  fileprivate func covers(_ other: KnownVariant) -> Bool {
    name == other.name && required.isSubset(of: other.required)
      && other.required.union(other.optional).isSubset(of: required.union(optional))
  }

  /// The same without some keys and what stands below them.
  fileprivate func without(_ open: Set<String>) -> KnownVariant {
    func kept(_ paths: Set<String>) -> Set<String> {
      paths.filter { path in !open.contains { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[]") } }
    }
    return KnownVariant(name: name, required: kept(required), optional: kept(optional))
  }
}
