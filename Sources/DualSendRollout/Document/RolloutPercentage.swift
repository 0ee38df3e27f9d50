/// A share of all units in thousandths of a percent. A thousandth is one ``RolloutBucket``, so there is no rounding.
public struct RolloutPercentage: Sendable, Hashable, Comparable {
  /// No units.
  public static let none = RolloutPercentage(unchecked: 0)
  /// All units.
  public static let all = RolloutPercentage(unchecked: RolloutBucket.count)

  /// The share in thousandths of a percent, `0...100_000`, which is also the number of buckets.
  public let thousandths: Int

  /// Creates a share; `nil` unless the number is in `0...100_000`.
  public init?(thousandths: Int) {
    guard (0...RolloutBucket.count).contains(thousandths) else { return nil }
    self.thousandths = thousandths
  }

  /// Creates a share from a percentage, rounded to the nearest thousandth; `nil` outside 0…100.
  public init?(percent: Double) {
    guard (0...100).contains(percent) else { return nil }
    thousandths = Int((percent * 1000).rounded())
  }

  private init(unchecked thousandths: Int) {
    self.thousandths = thousandths
  }

  /// Orders by size.
  public static func < (left: RolloutPercentage, right: RolloutPercentage) -> Bool {
    left.thousandths < right.thousandths
  }
}

extension RolloutPercentage: CustomStringConvertible {
  /// The shortest decimal form: `5 %`, `12.5 %`, `0.001 %`.
  public var description: String {
    let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
    guard fraction > 0 else { return "\(whole) %" }
    var digits = String(1000 + fraction).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits) %"
  }
}

extension RolloutPercentage {
  /// The reason why a number is not a percentage.
  enum Fault: Error {
    case outOfRange
    case tooManyDecimals
  }

  /// Parses the text of a JSON number in decimal, so that `0.1` is exactly a hundred thousandths.
  init(jsonNumber text: String) throws(Fault) {
    let parts = text.lowercased().split(separator: "e", maxSplits: 1)
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    var digits = (mantissa[0] + fraction).drop { $0 == "0" }
    guard !digits.isEmpty else {
      self = .none
      return
    }
    guard !text.hasPrefix("-") else { throw .outOfRange }
    let power = parts.count > 1 ? parts[1] : "0"
    guard let exponent = Int32(power) else {
      throw power.hasPrefix("-") ? .tooManyDecimals : .outOfRange
    }
    var scale = Int64(exponent) - Int64(fraction.count) + 3
    while digits.hasSuffix("0") {
      digits.removeLast()
      scale += 1
    }
    guard Int64(digits.count) + scale <= 6 else { throw .outOfRange }
    guard scale >= 0 else { throw .tooManyDecimals }
    let thousandths = (Int(digits) ?? .max).multipliedReportingOverflow(by: Self.powerOfTen(scale))
    guard !thousandths.overflow, thousandths.partialValue <= RolloutBucket.count else { throw .outOfRange }
    self.init(unchecked: thousandths.partialValue)
  }

  private static func powerOfTen(_ exponent: Int64) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
