public import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files of a breaker: the record, the marks of launches under way, and the lock that keeps two processes apart.
///
/// Plain system calls, because a launch waits for them: some fifteen calls, and nothing is forced to the disk unless the breaker
/// opens or closes.
public struct BreakerFolder: Sendable {
  /// A moment of the work on the files, before which a process may die.
  public enum Step: Int, Sendable, CaseIterable {
    /// A launch begins.
    case begin
    /// The lock is taken.
    case lock
    /// The marks are read.
    case scan
    /// The mark of a launch that ended early is deleted.
    case removeMark
    /// A record is written beside the one in place.
    case writeRecord
    /// The new record takes the place of the old one.
    case renameRecord
    /// The file of this launch's mark is made.
    case createMark
    /// The mark is locked.
    case lockMark
    /// The mark's situation is written.
    case writeMark
    /// The lock is released.
    case unlock
  }

  /// What a launch found and did.
  public struct Beginning: Sendable {
    /// The record for this launch.
    public let record: BreakerRecord
    /// Whether this launch has opened the breaker.
    public let hasOpened: Bool
    /// `nil` while the breaker is open, and where the files cannot be used.
    public let mark: LaunchMark?
    /// Why the files could not be read or written. Without a mark, the launch is not counted.
    public let problem: String?
  }

  private static let markPrefix = "launch-"
  /// How often the lock is tried before a launch goes on without it: a process may be suspended while it holds it.
  private static let attempts = 20

  private let folder: String
  private let atStep: @Sendable (Step) -> Void

  /// Names the folder; nothing is touched.
  ///
  /// - Parameters:
  ///   - folder: a folder of the breaker's own, created when it is needed.
  ///   - atStep: called before each step, for tests whose processes die there.
  public init(_ folder: URL, atStep: @escaping @Sendable (Step) -> Void = { _ in }) {
    self.folder = folder.path
    self.atStep = atStep
  }

  private var recordPath: String { folder + "/record" }

  /// The record as it stands; `nil` if there is none, or if it cannot be read.
  public var record: BreakerRecord? {
    Self.bytes(recordPath).flatMap(BreakerRecord.init(reading:))
  }

  /// Counts the launches that ended early, and opens the breaker or marks this launch.
  ///
  /// - Parameters:
  ///   - situation: what this launch runs with.
  ///   - limit: how many early ends in a row open the breaker.
  ///   - time: milliseconds since 1970-01-01T00:00:00Z; labels an opening.
  public func begin(_ situation: BreakerRecord.Situation, limit: Int, time: Int64) -> Beginning {
    atStep(.begin)
    var record: BreakerRecord?
    var hasOpened = false
    var problem: String?
    do throws(BreakerProblem) {
      let mark = try locked { () throws(BreakerProblem) in
        let stored = self.record
        var current = (stored ?? BreakerRecord(situation)).entered(situation)
        atStep(.scan)
        let dead = abandonedMarks()
        let early = dead.count { $0.situation?.continues(in: situation) ?? true }
        current.earlyEnds += early
        if current.opening == nil, limit > 0, current.earlyEnds >= limit {
          current.open(.earlyEnds, "\(current.earlyEnds) launches in a row ended early", at: time)
          hasOpened = true
        }
        record = current
        // The count is on disk before the marks go. A process that dies between the two has no mark of its own yet, so
        // that counting one of the others again counts its own early end.
        do throws(BreakerProblem) {
          if current != stored ?? BreakerRecord(situation) {
            try write(current, durably: current.opening != stored?.opening)
          }
          for mark in dead {
            atStep(.removeMark)
            mark.remove()
          }
        } catch {
          // The marks stay. The next launch counts them and the mark of this one.
          for mark in dead { mark.release() }
          problem = error.description
        }
        return current.opening == nil ? try newMark(current.situation) : nil
      }
      return Beginning(record: record ?? BreakerRecord(situation), hasOpened: hasOpened, mark: mark, problem: problem)
    } catch {
      let read = record ?? (self.record ?? BreakerRecord(situation)).entered(situation)
      return Beginning(record: read, hasOpened: hasOpened, mark: nil, problem: error.description)
    }
  }

  /// Changes the record while no other process does.
  ///
  /// - Parameter fallback: stands for a record that is missing or damaged.
  public func update(
    durably: Bool = false, otherwise fallback: BreakerRecord, _ change: (inout BreakerRecord) -> Void
  ) throws(BreakerProblem) {
    try locked { () throws(BreakerProblem) in
      let stored = self.record
      var record = stored ?? fallback
      change(&record)
      if record != stored { try write(record, durably: durably) }
    }
  }

  /// Marks a launch that goes on in a new situation, as after the breaker has closed.
  public func mark(_ situation: BreakerRecord.Situation) throws(BreakerProblem) -> LaunchMark {
    try locked { () throws(BreakerProblem) in try newMark(situation) }
  }

  // MARK: Marks

  /// A mark whose process has ended; holds its lock.
  private struct AbandonedMark {
    let path: String
    let descriptor: Int32
    /// `nil` if the process died before it was written.
    let situation: BreakerRecord.Situation?

    /// Deletes the mark.
    func remove() {
      unlink(path)
      release()
    }

    /// Keeps the mark for the next launch.
    func release() {
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }

  private func abandonedMarks() -> [AbandonedMark] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var marks: [AbandonedMark] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasPrefix(Self.markPrefix) else { continue }
      let path = folder + "/" + name
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        let situation = Self.bytes(of: descriptor).flatMap(BreakerRecord.init(reading:))?.situation
        marks.append(AbandonedMark(path: path, descriptor: descriptor, situation: situation))
      } else {
        close(descriptor)
      }
    }
    return marks
  }

  private func newMark(_ situation: BreakerRecord.Situation) throws(BreakerProblem) -> LaunchMark {
    let path = folder + "/" + Self.markPrefix + String(UInt64.random(in: 0 ... .max), radix: 16)
    atStep(.createMark)
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("the launch cannot be marked") }
    atStep(.lockMark)
    flock(descriptor, LOCK_EX | LOCK_NB)
    atStep(.writeMark)
    // A mark that could not be written still marks the launch.
    _ = Self.write(BreakerRecord(situation).bytes, to: descriptor)
    return LaunchMark(path: path, descriptor: descriptor)
  }

  // MARK: The record

  private func write(_ record: BreakerRecord, durably: Bool) throws(BreakerProblem) {
    atStep(.writeRecord)
    let draft = recordPath + ".new"
    let descriptor = open(draft, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("the record cannot be written") }
    let isWritten = Self.write(record.bytes, to: descriptor) && (!durably || fsync(descriptor) == 0)
    let problem = isWritten ? nil : BreakerProblem.system("the record cannot be written")
    close(descriptor)
    if let problem {
      unlink(draft)
      throw problem
    }
    atStep(.renameRecord)
    guard rename(draft, recordPath) == 0 else { throw .system("the record cannot be put in place") }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return bytes(of: descriptor)
  }

  /// A longer file is not a breaker's.
  private static func bytes(of descriptor: Int32) -> [UInt8]? {
    let limit = 16 << 10
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
    }
    return bytes.isEmpty || bytes.count == limit ? nil : bytes
  }

  // MARK: The lock

  private func locked<Result>(
    _ work: () throws(BreakerProblem) -> Result
  ) throws(BreakerProblem) -> Result {
    atStep(.lock)
    let descriptor = try openedLock()
    defer {
      atStep(.unlock)
      // Closing alone would leave the lock to a child that was forked just now and has not come to its `exec`.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    for attempt in 1... {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
      guard attempt < Self.attempts else {
        throw BreakerProblem(description: "another process holds the breaker's lock")
      }
      usleep(200)
    }
    return try work()
  }

  private func openedLock() throws(BreakerProblem) -> Int32 {
    let path = folder + "/lock"
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return descriptor }
    guard errno == ENOENT else { throw .system("the lock file cannot be opened") }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let second = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard second >= 0 else { throw .system("the folder cannot be created") }
    return second
  }
}

/// Why the files of a breaker could not be used. The launch goes on without it.
public struct BreakerProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line.
  public let description: String

  static func system(_ what: String) -> BreakerProblem {
    BreakerProblem(description: "\(what): \(String(cString: strerror(errno)))")
  }
}
