import DualSendCollector
public import DualSendCore

/// The promises of ``HTTPTransport`` as checks that any transport can be held against, on a real server on loopback.
///
/// ```swift
/// @Test(arguments: HTTPTransportConformance.checks)
/// func myTransport(check: HTTPTransportConformance.Check) async throws {
///   try await check.run { MyTransport() }
/// }
/// ```
public enum HTTPTransportConformance {
  /// One promise.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise as a sentence.
    public let description: String
    private let body: @Sendable (TransportBench) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (TransportBench) async throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Checks the promise on a fresh transport against a server of its own.
    ///
    /// - Throws: ``Violation``, or what the server says where it cannot run.
    public func run(_ makeTransport: () throws -> any HTTPTransport) async throws {
      let bench = TransportBench(transport: try makeTransport())
      try await bench.server.start()
      do { try await body(bench) } catch {
        await bench.server.stop()
        throw error
      }
      await bench.server.stop()
    }
  }

  /// A broken promise.
  public struct Violation: Error, CustomStringConvertible {
    /// What was expected and what was found.
    public let description: String
  }

  /// Every promise.
  public static let checks = exchangeChecks + boundChecks + redirectChecks + failureChecks

  static func expect<Value: Equatable>(_ found: Value, _ expected: Value) throws(Violation) {
    if found != expected { throw Violation(description: "expected \(expected), found \(found)") }
  }
}
