/// The type of a parameter, written as `string` or `int[]`.
public struct ParameterType: Sendable, Hashable, CustomStringConvertible {
  /// The type of one value.
  public enum Element: String, Sendable, Hashable, CaseIterable {
    /// `String`.
    case string
    /// `Int`.
    case int
    /// `Double`.
    case double
    /// `Bool`.
    case bool
    /// `Date`.
    case date
    /// An object with any content.
    case object
  }

  /// The type of the value, or of each element of the array.
  public let element: Element
  /// Whether the value is an array.
  public let isArray: Bool

  /// Creates a type.
  public init(_ element: Element, isArray: Bool = false) {
    self.element = element
    self.isArray = isArray
  }

  /// Reads the written form; `nil` for any other text.
  public init?(_ text: String) {
    let isArray = text.hasSuffix("[]")
    guard let element = Element(rawValue: isArray ? String(text.dropLast(2)) : text) else { return nil }
    self.init(element, isArray: isArray)
  }

  /// The written form.
  public var description: String { element.rawValue + (isArray ? "[]" : "") }

  /// Every written form.
  static let words = Element.allCases.map(\.rawValue) + Element.allCases.map { $0.rawValue + "[]" }

  /// Whether values of this type can be a closed list.
  var hasClosedValues: Bool { element == .string || element == .int }
}

extension ParameterType {
  /// The types of Parchment's event generator: `boolean` in addition to these.
  static let parchmentWords = words + ["boolean"]

  /// The type of one of ``parchmentWords``; `nil` for any other text.
  static func parchment(_ text: String) -> ParameterType? {
    ParameterType(text == "boolean" ? Element.bool.rawValue : text)
  }
}
