import Dispatch
import DualSendCore
import Foundation

extension CallStackTree {
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
    let work: @Sendable () -> CallStackTree? = { CallStackTree(pruner) }
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

extension CallStackTree.Frame {
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
