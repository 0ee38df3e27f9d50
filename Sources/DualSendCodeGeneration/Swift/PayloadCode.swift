import DualSendCore
import DualSendRemapping

/// Generates the code that builds a nested payload. An object is created only if something is in it.
struct PayloadCode {
  /// A value in the payload.
  struct Leaf {
    /// The property's name, or the constant's expression.
    let name: String
    var isOptional = false
    var isConstant = false
    var payloadValue: (String) -> String = { $0 }

    init(name: String, isOptional: Bool, payloadValue: @escaping (String) -> String) {
      (self.name, self.isOptional, self.payloadValue) = (name, isOptional, payloadValue)
    }

    init(constant: String) {
      (name, isConstant) = (constant, true)
    }
  }

  private enum Node {
    case leaf(Leaf)
    case object(PayloadCode)
  }

  private var nodes: [(key: String, node: Node)] = []

  mutating func insert(_ target: KeyPathPattern, _ leaf: Leaf) {
    insert(target.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }[...], leaf)
  }

  private mutating func insert(_ keys: ArraySlice<String>, _ leaf: Leaf) {
    guard let key = keys.first else { return }
    let index = nodes.firstIndex { $0.key.isExactly(key) }
    if keys.count == 1 {
      nodes.append((key, .leaf(leaf)))
    } else if let index, case .object(var tree) = nodes[index].node {
      tree.insert(keys.dropFirst(), leaf)
      nodes[index].node = .object(tree)
    } else {
      var tree = PayloadCode()
      tree.insert(keys.dropFirst(), leaf)
      nodes.append((key, .object(tree)))
    }
  }

  /// - Parameter name: the object's variable; those of nested objects add numbers.
  func write(into name: String, to writer: inout SwiftWriter) {
    writer.line("var \(name): [String: any Sendable] = [:]")
    for (index, (key, node)) in nodes.enumerated() {
      let place = "\(name)[\(SwiftLiteral.string(key))]"
      switch node {
      case .leaf(let leaf) where leaf.isConstant: writer.line("\(place) = \(leaf.name)")
      case .leaf(let leaf) where leaf.isOptional:
        writer.line("if let value = self.\(leaf.name) { \(place) = \(leaf.payloadValue("value")) }")
      case .leaf(let leaf): writer.line("\(place) = \(leaf.payloadValue("self." + leaf.name))")
      case .object(let tree):
        let inner = "\(name)\(index)"
        tree.write(into: inner, to: &writer)
        writer.line("if !\(inner).isEmpty { \(place) = \(inner) }")
      }
    }
  }
}
