import Dispatch
import DualSendCore
import Foundation

/// The call stacks of a diagnostic. Not symbolicated, which needs the app's dSYM files.
public struct HealthCallStackTree: Sendable, Hashable {
  /// A frame of a call stack.
  public struct Frame: Sendable, Hashable {
    /// The depth of the frame: 0 for a root frame. A frame of depth n+1 is a sub-frame of the last frame of depth n
    /// before it.
    public let depth: Int
    /// The binary's name.
    public internal(set) var binaryName: String?
    /// The binary's UUID, which identifies its dSYM file.
    public internal(set) var binaryUUID: String?
    /// The address in memory.
    public internal(set) var address: UInt64?
    /// The address from the start of the binary's text segment.
    public internal(set) var offset: UInt64?
    /// How many samples were taken here.
    public internal(set) var sampleCount: Int64?
  }

  /// One thread, or all of them if the diagnostic is not per thread.
  public struct Stack: Sendable, Hashable {
    /// Whether this thread caused the diagnostic.
    public internal(set) var isAttributed = false
    /// The frames, root frames and sub-frames in the order of the JSON; see ``Frame/depth``.
    public internal(set) var frames: [Frame] = []
  }

  /// Whether each stack is one thread.
  public internal(set) var isPerThread = false
  /// The stacks.
  public internal(set) var stacks: [Stack] = []
  /// How many stacks were truncated, each after about 500 frames. Endless recursion exceeds the depth limit.
  public internal(set) var cutStacks = 0

  /// The stack that caused the diagnostic, otherwise the first one.
  public var attributedStack: Stack? {
    stacks.first(where: \.isAttributed) ?? stacks.first
  }
}

// MARK: - JSON

extension HealthCallStackTree {
  /// The longest JSON accepted, in bytes.
  private static let maximumBytes = 4 << 20
  /// The greatest depth read. Each frame of a call stack is two levels, and systems record at most 512 frames.
  private static let maximumDepth = 1_100
  /// The greatest depth for which every thread's stack is large enough.
  private static let comfortableDepth = 64

  /// Reads call stacks from the JSON of an `MXCallStackTree` or of a whole `MXDiagnostic`. The JSON does not depend on
  /// the locale. May be called on any thread, however small its stack.
  ///
  /// Ignores unknown members and members of the wrong type. `nil` if the text is not JSON, is longer than 4 MiB, or
  /// holds no call stacks.
  public init?(reading json: some Sequence<UInt8>) {
    let bytes = Array(json)
    guard bytes.count <= Self.maximumBytes else { return nil }
    let pruner = JSONPruner(bytes, maximumDepth: Self.maximumDepth)
    let work: @Sendable () -> HealthCallStackTree? = { HealthCallStackTree(pruner) }
    guard let tree = pruner.depth > Self.comfortableDepth ? LargeStackThread.run(work) : work() else { return nil }
    self = tree
  }

  private init?(_ pruner: JSONPruner) {
    // An emptied container is one level below the limit.
    let reader = JSONReader(maximumDepth: Self.maximumDepth + 1, maximumBytes: Self.maximumBytes)
    guard let root = try? reader.value(pruner.bytes) else { return nil }
    let tree = root["callStackTree"] ?? root
    guard case .array(let stacks)? = tree["callStacks"] else { return nil }
    isPerThread = tree["callStackPerThread"] == true
    self.stacks = stacks.map { stack in
      Stack(isAttributed: stack["threadAttributed"] == true, frames: Self.frames(stack["callStackRootFrames"]))
    }
    cutStacks = pruner.count
  }

  /// The frames and sub-frames in the order of the text. Iterative, because there may be hundreds of levels.
  private static func frames(_ roots: EventValue?) -> [Frame] {
    var frames: [Frame] = []
    var waiting = elements(roots).reversed().map { (value: $0, depth: 0) }
    while let (value, depth) = waiting.popLast() {
      // An empty frame marks a cut.
      guard case .object(let members) = value, !members.isEmpty else { continue }
      frames.append(Frame(value, depth: depth))
      waiting += elements(value["subFrames"]).reversed().map { ($0, depth + 1) }
    }
    return frames
  }

  private static func elements(_ value: EventValue?) -> [EventValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }
}

extension HealthCallStackTree.Frame {
  fileprivate init(_ value: EventValue, depth: Int) {
    self.depth = depth
    if case .string(let name)? = value["binaryName"] { binaryName = name }
    if case .string(let uuid)? = value["binaryUUID"] { binaryUUID = uuid }
    if case .int(let count)? = value["sampleCount"] { sampleCount = count }
    address = Self.address(value["address"])
    offset = Self.address(value["offsetIntoBinaryTextSegment"])
  }

  /// An address may have its highest bit set. It is then negative or above `Int64.max`.
  private static func address(_ value: EventValue?) -> UInt64? {
    switch value {
    case .int(let number): UInt64(bitPattern: number)
    case .uint(let number): number
    default: nil
    }
  }
}

extension EventValue {
  fileprivate subscript(key: String) -> EventValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}

/// Runs deeply recursive work, for which the half megabyte of a background thread's stack is not enough.
enum LargeStackThread {
  /// Three times as much as 1,200 levels need in a debug build.
  private static let stackBytes = 16 << 20

  /// Runs the work on a new thread and waits for it. The work must not wait for anything itself.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
    let result = Locked<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let value = work()
      result.withLock { $0 = value }
      isDone.signal()
    }
    thread.stackSize = stackBytes
    thread.qualityOfService = Thread.current.qualityOfService
    thread.start()
    isDone.wait()
    return result.current ?? work()
  }
}

// MARK: - JSONPruner

/// Removes containers below a depth from a JSON text, so that deep call stacks and hostile texts can be read.
///
/// Replaces the content of these containers with white space, so that offsets stay the same.
struct JSONPruner {
  /// The text, limited to the depth.
  private(set) var bytes: [UInt8]
  /// The number of emptied containers.
  private(set) var count = 0
  /// The original depth.
  private(set) var depth = 0

  init(_ bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    var depth = 0
    var start: Int?
    var isInString = false
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if isInString { break }
        depth += 1
        self.depth = max(self.depth, depth)
        if depth > maximumDepth, start == nil { start = position }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if isInString { break }
        depth -= 1
        // Leave unbalanced text to the reader, which reports it.
        if depth < 0 { return }
        if depth == maximumDepth, let opening = start {
          empty(opening...position)
          start = nil
        }
      default: break
      }
      position += 1
    }
  }

  private mutating func empty(_ range: ClosedRange<Int>) {
    let isArray = bytes[range.lowerBound] == UInt8(ascii: "[")
    count += 1
    for position in range.dropFirst() where bytes[position] != UInt8(ascii: "\n") {
      bytes[position] = UInt8(ascii: " ")
    }
    bytes[range.upperBound] = isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
  }
}
