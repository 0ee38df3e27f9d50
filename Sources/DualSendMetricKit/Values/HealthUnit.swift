import Foundation

/// The unit of a quantity.
public struct HealthUnit: Sendable, Hashable {
  /// What a unit measures. Only units of one dimension can be converted into one another.
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
    /// Time lost of time passed.
    case ratio
    /// A number without a unit.
    case none
    /// A unit of MetricKit that this version does not know.
    case unknown
  }

  /// What it measures.
  public let dimension: Dimension
  /// The unit as events name it, such as `ms`; the system's symbol where it is not known.
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

  /// Whether both are the same unit; symbols are compared by their UTF-8 bytes.
  public static func == (left: HealthUnit, right: HealthUnit) -> Bool {
    left.dimension == right.dimension && left.symbol.utf8.elementsEqual(right.symbol.utf8)
  }

  /// Hashes what makes two units the same.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(dimension)
    hasher.combine(symbol)
  }
}

extension HealthUnit {
  /// The unit of Foundation or MetricKit; `nil` for one that has no static here.
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
      // MetricKit's own units: their symbols are the same in every language.
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

  /// Whether a quantity of this unit can be given in another.
  func canConvert(to other: HealthUnit) -> Bool {
    dimension == other.dimension && (dimension != .unknown || self == other)
  }
}
