// What the compiled sources use of Foundation, which Embedded Swift does not have.

public struct Date: Sendable, Hashable {
  public var timeIntervalSince1970: Double

  public init(timeIntervalSince1970: Double) {
    self.timeIntervalSince1970 = timeIntervalSince1970
  }
}

public final class NSNull {
  public init() {}
}

@_extern(c) public func memcmp(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int32
