public import DualSend
public import Foundation

// Failed checks throw, which fails a test in Swift Testing and in XCTest. Neither is imported here, because they are
// available only in tests and the command line tool uses these files too.

/// Sends one legacy event through the adapter and compares the record with its golden file.
///
/// ```swift
/// @Test(arguments: events)
/// func golden(event: LegacyEvent) async throws {
///   try await assertGolden(event, through: GoldenAdapter(remapping: table, rollout: snapshot), in: GoldenFolder())
/// }
/// ```
///
/// With `DUALSEND_RECORD_GOLDEN=1` in the environment, writes the file instead and fails.
///
/// - Parameters:
///   - event: the call site's event.
///   - name: the file's name; the event's name by default.
///   - adapter: the adapter with the table and the rollout.
///   - folder: the folder of the golden files.
///   - environment: the environment; the process's by default.
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

/// Checks that every golden file in the folder belongs to one of these names.
///
/// - Throws: ``GoldenFailure``.
public func assertNoOrphanedGoldenFiles(
  in folder: GoldenFolder, besides names: some Sequence<String>
) throws(GoldenFailure) {
  let orphans = try folder.orphans(besides: names)
  if !orphans.isEmpty { throw .orphaned(files: orphans) }
}
