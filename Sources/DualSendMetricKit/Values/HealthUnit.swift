import Foundation

/// The unit of a quantity.
public struct HealthUnit: Sendable, Hashable {
  /// The dimension of a unit. Units of the same dimension can be converted.
  public enum Dimension: Sendable, Hashable {
    /// Time.
    case duration
    /// Bytes.
    case storage
    /// Bars of the cellular signal.
    case signal
    /// Average pixel luminance.
    case luminance
    /// Instructions of the CPU.
    case instructions
    /// A ratio of times.
    case ratio
    /// A number without a unit.
    case none
    /// An unknown unit of MetricKit.
    case unknown
  }

  /// The dimension.
  public let dimension: Dimension
  /// The unit's name in events, such as `ms`; the system's symbol for an unknown unit.
  public let symbol: String
  /// The unit's factor to the dimension's smallest unit.
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
  /// Milliseconds per second, `ms per s`.
  public static let millisecondsPerSecond = HealthUnit(dimension: .ratio, symbol: "ms per s", scale: 1)
  /// Per cent, `%`: 10 ms of each second.
  public static let percent = HealthUnit(dimension: .ratio, symbol: "%", scale: 10)
  /// No unit at all.
  public static let none = HealthUnit(dimension: .none, symbol: "", scale: 1)

  /// Compares dimensions, and the UTF-8 bytes of symbols.
  public static func == (left: HealthUnit, right: HealthUnit) -> Bool {
    left.dimension == right.dimension && left.symbol.utf8.elementsEqual(right.symbol.utf8)
  }

  /// Hashes dimension and symbol.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(dimension)
    hasher.combine(symbol)
  }
}

extension HealthUnit {
  /// The unit for one of Foundation or MetricKit; `nil` if it is not defined here.
  init?(_ unit: Unit) {
    if let duration = unit as? UnitDuration {
      switch duration {
      case .milliseconds: self = .milliseconds
      case .seconds: self = .seconds
      case .minutes: self = .minutes
      case .hours: self = .hours
      default: return nil
      }
    } else if let storage = unit as? UnitInformationStorage {
      switch storage {
      case .bytes: self = .bytes
      case .kilobytes: self = .kilobytes
      case .megabytes: self = .megabytes
      case .gigabytes: self = .gigabytes
      default: return nil
      }
    } else {
      // MetricKit's own units, whose symbols do not depend on the locale.
      switch unit.symbol {
      case "bars": self = .bars
      case "apl": self = .averagePixelLuminance
      case "kiloinstructions": self = .kiloinstructions
      case "ms per s": self = .millisecondsPerSecond
      case "%": self = .percent
      case "": self = .none
      default: return nil
      }
    }
  }

  /// Whether a quantity of this unit can be converted to another.
  func canConvert(to other: HealthUnit) -> Bool {
    dimension == other.dimension && (dimension != .unknown || self == other)
  }
}
