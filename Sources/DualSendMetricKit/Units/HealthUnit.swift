/// The unit of a quantity, as far as MetricKit's text names it.
public struct HealthUnit: Sendable, Hashable {
  /// What a unit measures. Only units of one dimension can be converted into one another.
  public enum Dimension: Sendable, Hashable {
    case duration
    case storage
    /// Bars of the cellular signal.
    case signal
    /// Average pixel luminance.
    case luminance
    case instructions
    /// Time lost of time passed.
    case ratio
    /// The text is a number alone.
    case none
    /// The unit's text is known in no language.
    case unknown
  }

  /// What it measures.
  public let dimension: Dimension
  /// The unit as events name it, such as `ms`; the text itself where it is not known.
  public let symbol: String
  /// How many of the dimension's smallest unit it is.
  let scale: Double

  /// Milliseconds, `ms`.
  public static let milliseconds = HealthUnit(dimension: .duration, symbol: "ms", scale: 1)
  /// Seconds, `sec`.
  public static let seconds = HealthUnit(dimension: .duration, symbol: "sec", scale: 1_000)
  /// Minutes, `min`.
  public static let minutes = HealthUnit(dimension: .duration, symbol: "min", scale: 60_000)
  /// Hours, `hr`.
  public static let hours = HealthUnit(dimension: .duration, symbol: "hr", scale: 3_600_000)
  /// Bytes, `byte`.
  public static let bytes = HealthUnit(dimension: .storage, symbol: "byte", scale: 1)
  /// 1,000 bytes, `kB`, as `UnitInformationStorage` has it.
  public static let kilobytes = HealthUnit(dimension: .storage, symbol: "kB", scale: 1e3)
  /// 1,000,000 bytes, `MB`.
  public static let megabytes = HealthUnit(dimension: .storage, symbol: "MB", scale: 1e6)
  /// 1,000,000,000 bytes, `GB`.
  public static let gigabytes = HealthUnit(dimension: .storage, symbol: "GB", scale: 1e9)
  /// Bars of the cellular signal, `bars`.
  public static let bars = HealthUnit(dimension: .signal, symbol: "bars", scale: 1)
  /// Average pixel luminance, `apl`.
  public static let averagePixelLuminance = HealthUnit(dimension: .luminance, symbol: "apl", scale: 1)
  /// 1,000 instructions, `kiloinstructions`.
  public static let kiloinstructions = HealthUnit(
    dimension: .instructions, symbol: "kiloinstructions", scale: 1e3)
  /// Milliseconds lost of each second, `ms per s`.
  public static let millisecondsPerSecond = HealthUnit(dimension: .ratio, symbol: "ms per s", scale: 1)
  /// Per cent, `%`: 10 ms of each second.
  public static let percent = HealthUnit(dimension: .ratio, symbol: "%", scale: 10)
  /// No unit at all.
  public static let none = HealthUnit(dimension: .none, symbol: "", scale: 1)

  /// Whether both are the same unit; texts that are not known are compared by their UTF-8 bytes.
  public static func == (left: HealthUnit, right: HealthUnit) -> Bool {
    left.dimension == right.dimension && left.symbol.utf8.elementsEqual(right.symbol.utf8)
  }
}

extension HealthUnit {
  /// What MetricKit writes in every language: its own units have no translation.
  private static let untranslated: [String: HealthUnit] = [
    "bars": .bars, "bar": .bars, "apl": .averagePixelLuminance, "kiloinstructions": .kiloinstructions,
    "ms per s": .millisecondsPerSecond, "%": .percent, "٪": .percent, "": .none,
  ]

  /// - Parameters:
  ///   - text: the unit's part of a quantity's text, its white space made plain.
  ///   - dimension: what the quantity measures: a word may be a time in one language and a size in another.
  init(text: String, expecting dimension: Dimension) {
    self =
      Self.untranslated[text] ?? UnitWords.unit(text, of: dimension)
      ?? HealthUnit(dimension: .unknown, symbol: text, scale: 1)
  }

  /// Whether a quantity of this unit can be given in another.
  func canConvert(to other: HealthUnit) -> Bool {
    dimension == other.dimension && (dimension != .unknown || self == other)
  }
}
