/// The call stacks of a diagnostic. Not symbolicated, which needs the app's dSYM files.
public struct CallStackTree: Sendable, Hashable {
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
