public import DualSend
public import Foundation

// A check that does not hold throws what is wrong, which fails a test of Swift Testing and of XCTest alike. So neither
// is imported here: both are there for tests only, and the command line is built on these files too.

/// Takes one legacy event through the adapter and holds what became of it against its golden file.
///
/// ```swift
/// @Test(arguments: events)
/// func golden(event: LegacyEvent) async throws {
///   try await assertGolden(event, through: GoldenAdapter(remapping: table, rollout: snapshot), in: GoldenFolder())
/// }
/// ```
///
/// The file is written instead, and the test fails, when the environment says `DUALSEND_RECORD_GOLDEN=1`.
///
/// - Parameters:
///   - event: what the call site gave.
///   - name: the file's name; by default the event's.
///   - adapter: the table and the rollout that hold.
///   - folder: where the golden files are.
///   - environment: by default the process's own.
/// - Throws: ``GoldenFailure``.
public func assertGolden(
  _ event: LegacyEvent, named name: String? = nil, through adapter: GoldenAdapter, in folder: GoldenFolder,
  environment: [String: String] = ProcessInfo.processInfo.environment
) async throws(GoldenFailure) {
  let mode = try GoldenMode(environment: environment)
  let name = name ?? event.name
  let file = GoldenFolder.fileName(name)
  let text = await adapter.record(event).text
  if mode == .record {
    try folder.record(text, named: name)
    throw .recorded(file: file)
  }
  switch try folder.verdict(on: text, named: name) {
  case .matches: break
  case .missing: throw .missing(file: file)
  case .differs(let lines): throw .differs(file: file, lines: lines)
  }
}

/// Checks that every golden file of the folder belongs to one of these names.
///
/// - Throws: ``GoldenFailure``.
public func assertNoOrphanedGoldenFiles(
  in folder: GoldenFolder, besides names: some Sequence<String>
) throws(GoldenFailure) {
  let orphans = try folder.orphans(besides: names)
  if !orphans.isEmpty { throw .orphaned(files: orphans) }
}
