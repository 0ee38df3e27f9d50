package import DualSendCore
package import DualSendRemapping

/// What a sink does to a payload before it keeps it, declared once for comparison and report alike.
///
/// It is applied to both sides before they are compared: what the old sink wrote has been through it already, and
/// a second time changes nothing, while the new side has not.
package struct Normalisation: Sendable, Hashable {
  /// How a sink keeps booleans.
  package enum Booleans: String, Sendable, Hashable, CaseIterable {
    /// As they are.
    case keep
    /// As the integers 0 and 1.
    case zeroOne
  }

  /// What a sink does to a parameter whose name it does not accept.
  package enum IllegalNames: String, Sendable, Hashable, CaseIterable {
    /// Nothing: every name is legal.
    case keep
    /// The parameter is left out.
    case drop
    /// Each character outside `[A-Za-z0-9_]` becomes `_`; a name that is still illegal is left out.
    case replace
  }

  /// The most parameters kept; the first ones by name stay. `nil`: all.
  package var maximumParameters: Int?
  /// The longest parameter name kept, in characters; a longer one is cut. `nil`: any.
  package var maximumNameLength: Int?
  /// The longest string kept, in characters; a longer one is cut. `nil`: any.
  package var maximumStringLength: Int?
  /// How booleans are kept.
  package var booleans = Booleans.keep
  /// What happens to names that are not `[A-Za-z][A-Za-z0-9_]*` or start with a reserved prefix.
  package var illegalNames = IllegalNames.keep
  /// Prefixes that make a name illegal.
  package var reservedPrefixes: [String] = []
  /// Paths of the new payload that are not compared.
  package var ignored: [KeyPathPattern] = []

  /// Creates a normalisation that changes nothing.
  package init() {}

  /// Payloads are compared as they are.
  package static let none = Normalisation()

  /// What Firebase Analytics does: at most 25 parameters, names of 40 and strings of 100 characters, booleans as numbers,
  /// parameters with illegal or reserved names left out.
  package static let firebase: Normalisation = {
    var rules = Normalisation()
    rules.maximumParameters = 25
    rules.maximumNameLength = 40
    rules.maximumStringLength = 100
    rules.booleans = .zeroOne
    rules.illegalNames = .drop
    rules.reservedPrefixes = ["firebase_", "google_", "ga_"]
    return rules
  }()

  /// The presets by the name that files and the command line use.
  package static let presets: [String: Normalisation] = ["firebase": .firebase, "none": .none]

  /// The payload as the sink keeps it.
  package func apply(to payload: [String: EventValue]) -> [String: EventValue] {
    guard changesPayloads else { return payload }
    var kept: [String: EventValue] = [:]
    // In the order of names, so that the same ones stay when two become one or the payload has too many.
    for (key, value) in payload.sorted(by: { String.byteOrder($0.key, $1.key) }) {
      if let maximumParameters, kept.count >= maximumParameters { break }
      guard let name = name(key), !kept.keys.contains(name) else { continue }
      kept[name] = self.value(value)
    }
    return kept
  }

  var changesPayloads: Bool {
    maximumParameters != nil || maximumNameLength != nil || maximumStringLength != nil || booleans != .keep
      || illegalNames != .keep
  }

  private func name(_ name: String) -> String? {
    var name = name
    if illegalNames == .replace {
      name = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isNameScalar ? $0 : "_" }))
    }
    if illegalNames != .keep {
      guard let first = name.unicodeScalars.first, first.isNameStart, name.unicodeScalars.allSatisfy(\.isNameScalar),
        !reservedPrefixes.contains(where: { name.utf8.starts(with: $0.utf8) })
      else { return nil }
    }
    return maximumNameLength.map { String(name.prefix($0)) } ?? name
  }

  private func value(_ value: EventValue) -> EventValue {
    switch value {
    case .bool(let flag): booleans == .zeroOne ? .int(flag ? 1 : 0) : value
    case .string(let text): maximumStringLength.map { .string(String(text.prefix($0))) } ?? value
    case .array(let elements): .array(elements.map { self.value($0) })
    case .object(let members): .object(members.mapValues { self.value($0) })
    case .null, .int, .uint, .double, .date: value
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isNameStart: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }

  fileprivate var isNameScalar: Bool {
    isNameStart || ("0"..."9").contains(self) || self == "_"
  }
}
