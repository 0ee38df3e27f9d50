import Dispatch
import DualSendCore
public import Foundation

/// Appends events to a text file, one line of JSON in wire form each, and syncs each batch to disk.
///
/// A new file is readable by its owner only. The file is opened for each batch, so it may be moved away; a new one is
/// then created. If a batch cannot be written completely, it is removed from the file and retried. An incomplete last
/// line is ended before the next one. A batch can appear twice, with the same ids, if the process dies after writing
/// it.
public struct JSONLinesReceiver: EventReceiver {
  private struct FolderInItsPlace: LocalizedError {
    let errorDescription: String? = "it is a folder"
  }

  private let file: URL
  /// Writing blocks its thread, which must not be one of the cooperative pool.
  private let queue = DispatchQueue(label: "DualSend.json-lines", qos: .utility)

  /// Creates a receiver. The first batch creates the file and its folders.
  public init(file: URL) {
    self.file = file
  }

  /// Appends the events; see ``EventReceiver/receive(_:)``.
  public func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    let failure = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: write(events)) }
    }
    if let failure { throw failure }
  }

  private func write(_ events: [TrackingData]) -> EventReceiverFailure? {
    do {
      let handle = try opened()
      defer { try? handle.close() }
      try append(events, to: handle)
      return nil
    } catch {
      return .unavailable("cannot write \(file.lastPathComponent): \(error.localizedDescription)")
    }
  }

  private func opened() throws -> FileHandle {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue {
      throw FolderInItsPlace()
    }
    return try PrivateFile.openOrCreate(file)
  }

  private func append(_ events: [TrackingData], to handle: FileHandle) throws {
    let end = try handle.seekToEnd()
    var lines = Data()
    lines.reserveCapacity(events.reduce(1) { $0 + $1.bodyCount + 1 })
    if end > 0 {
      try handle.seek(toOffset: end - 1)
      if try handle.read(upToCount: 1)?.first != UInt8(ascii: "\n") { lines.append(UInt8(ascii: "\n")) }
    }
    for event in events {
      lines.append(contentsOf: event.body)
      lines.append(UInt8(ascii: "\n"))
    }
    do {
      try handle.write(contentsOf: lines)
      try handle.synchronize()
    } catch {
      try? handle.truncate(atOffset: end)
      throw error
    }
  }
}
