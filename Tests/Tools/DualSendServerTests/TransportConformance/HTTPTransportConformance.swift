import DualSendCollector
import DualSendCore

/// The conformance suite of ``HTTPTransport``, with a real server on loopback.
///
/// ```swift
/// @Test(arguments: HTTPTransportConformance.checks)
/// func myTransport(check: HTTPTransportConformance.Check) async throws {
///   try await check.run { MyTransport() }
/// }
/// ```
enum HTTPTransportConformance {
  /// One check.
  struct Check: Sendable, CustomStringConvertible {
    /// The requirement.
    let description: String
    private let body: @Sendable (TransportBench) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (TransportBench) async throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Runs the check with a new transport and a new server.
    ///
    /// - Throws: ``Violation``, or an error of the server.
    func run(_ makeTransport: () throws -> any HTTPTransport) async throws {
      let bench = TransportBench(transport: try makeTransport())
      try await bench.server.start()
      do { try await body(bench) } catch {
        await bench.server.stop()
        throw error
      }
      await bench.server.stop()
    }
  }

  /// A requirement that a transport does not meet.
  struct Violation: Error, CustomStringConvertible {
    /// The expected and the actual value.
    let description: String
  }

  /// All checks.
  static let checks = exchangeChecks + boundChecks + redirectChecks + failureChecks

  static func expect<Value: Equatable>(_ found: Value, _ expected: Value) throws(Violation) {
    if found != expected { throw Violation(description: "expected \(expected), found \(found)") }
  }
}
