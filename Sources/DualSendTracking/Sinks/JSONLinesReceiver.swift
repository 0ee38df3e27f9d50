import Dispatch
public import Foundation

/// Appends events to a text file, each as a line of JSON in its wire form, and ends every batch on the disk.
///
/// A file that it makes is readable by its owner only. The file is opened for each batch, so it may be moved away and a
/// new one is made. A batch that cannot be written whole is removed from the file and comes again. If the last line was
/// cut off, it is ended before the next one is written. A batch is written twice, with the same ids, if the process dies
/// after writing it and before the store has noted that.
public struct JSONLinesReceiver: EventReceiver {
  private struct FolderInItsPlace: LocalizedError {
    let errorDescription: String? = "there is a folder in its place"
  }

  private let file: URL
  /// A disk blocks the thread that writes to it, which must not be one of those that all tasks share.
  private let queue = DispatchQueue(label: "DualSend.json-lines", qos: .utility)

  /// Creates a receiver; the file and its folders are made with the first batch.
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
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    if manager.fileExists(atPath: file.path, isDirectory: &isFolder) {
      if isFolder.boolValue { throw FolderInItsPlace() }
    } else {
      try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      guard manager.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
        throw CocoaError(.fileWriteNoPermission)
      }
    }
    return try FileHandle(forUpdating: file)
  }

  private func append(_ events: [TrackingData], to handle: FileHandle) throws {
    let end = try handle.seekToEnd()
    var lines = Data()
    lines.reserveCapacity(events.reduce(1) { $0 + $1.body.count + 1 })
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
