import DualSendCore

extension PayloadReader {
  mutating func callStackTree(_ node: JSONNode, at path: EventPath) -> CallStackTree {
    var tree = CallStackTree()
    for member in members(node, at: path) {
      let place = path.appending(member.key)
      switch member.key {
      case "callStackPerThread": tree.isPerThread = flag(member.value, at: place)
      case "callStacks": tree.stacks = elements(member.value, at: place).map { stack($0.node, at: $0.path) }
      default: keep(member, at: path)
      }
    }
    return tree
  }

  private mutating func stack(_ node: JSONNode, at path: EventPath) -> CallStackTree.Stack {
    var stack = CallStackTree.Stack()
    for member in members(node, at: path) {
      let place = path.appending(member.key)
      switch member.key {
      case "threadAttributed": stack.isAttributed = flag(member.value, at: place)
      case "callStackRootFrames": stack.frames = frames(member.value, at: place)
      default: keep(member, at: path)
      }
    }
    return stack
  }

  /// Frames and their sub-frames in the order of the text, without recursion: there may be hundreds of levels.
  private mutating func frames(_ node: JSONNode, at path: EventPath) -> [CallStackTree.Frame] {
    var frames: [CallStackTree.Frame] = []
    var waiting = elements(node, at: path).reversed().map { (node: $0.node, path: $0.path, depth: 0) }
    while let next = waiting.popLast() {
      let members = members(next.node, at: next.path)
      // A frame of nothing is the mark of what was cut off.
      if members.isEmpty { continue }
      var frame = CallStackTree.Frame(depth: next.depth)
      for member in members {
        let place = next.path.appending(member.key)
        if member.key == "subFrames" {
          waiting += elements(member.value, at: place).reversed().map { ($0.node, $0.path, next.depth + 1) }
        } else {
          read(member, at: place, into: &frame)
        }
      }
      frames.append(frame)
    }
    return frames
  }

  private mutating func read(_ member: JSONNode.Member, at path: EventPath, into frame: inout CallStackTree.Frame) {
    switch member.key {
    case "binaryName": frame.binaryName = text(member.value, at: path)
    case "binaryUUID": frame.binaryUUID = text(member.value, at: path)
    case "address": frame.address = address(member.value, at: path)
    case "offsetIntoBinaryTextSegment": frame.offset = address(member.value, at: path)
    case "sampleCount": frame.sampleCount = document.integer(member.value, at: path)
    default: frame.unknown[member.key] = value(of: member.value, at: path)
    }
  }

  /// An address may have its highest bit set.
  private mutating func address(_ node: JSONNode, at path: EventPath) -> UInt64? {
    switch node.content {
    case .number(let number):
      if let address = UInt64(number.text) { return address }
      if let negative = Int64(number.text) { return UInt64(bitPattern: negative) }
    case .null: return nil
    default: break
    }
    document.wrongType(node, at: path, expected: "an address")
    return nil
  }
}
