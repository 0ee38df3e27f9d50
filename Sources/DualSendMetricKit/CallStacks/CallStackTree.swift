/// The call stacks of a diagnostic. Addresses are not symbolicated: that takes the app's dSYM files.
public struct CallStackTree: Sendable, Hashable {
  /// One place in the code.
  public struct Frame: Sendable, Hashable {
    /// How many frames lie around this one: 0 for a root frame. A frame of depth n+1 is a sub-frame of the last one of
    /// depth n before it.
    public let depth: Int
    /// The binary's name.
    public internal(set) var binaryName: String?
    /// The binary's UUID, by which its dSYM file is found.
    public internal(set) var binaryUUID: String?
    /// The address in memory.
    public internal(set) var address: UInt64?
    /// The address from the start of the binary's text segment.
    public internal(set) var offset: UInt64?
    /// How many samples were taken here.
    public internal(set) var sampleCount: Int64?
  }

  /// One thread, or for diagnostics that are not about single threads, all of them.
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
  /// How many stacks were cut off, each after some 500 frames: endless recursion nests deeper than is read.
  public internal(set) var cutStacks = 0

  /// The stack that the diagnostic is about: the first one that caused it, else the first one.
  public var attributedStack: Stack? {
    stacks.first(where: \.isAttributed) ?? stacks.first
  }
}
