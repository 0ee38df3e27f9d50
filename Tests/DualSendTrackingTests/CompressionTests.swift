import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

/// What arrives at the collector, through a whole tracker.
@Suite("A request's body", .timeLimit(.minutes(10)))
struct CompressionTests {
  private static let formats: [(TrackingEndpoint.Compression, Zlib.Format)] = [(.deflate, .deflate), (.gzip, .gzip)]

  /// The one request for one event.
  private func request(
    text: String, compression: TrackingEndpoint.Compression = .deflate, threshold: Int = 5120
  ) async throws -> HTTPTransportRequest {
    let url = try #require(URL(string: "http://collector.test/events"))
    let bench = try Bench {
      $0.destination = .collector(
        TrackingEndpoint(url: url, compression: compression, compressionThreshold: threshold))
    }
    bench.tracker.sendLog(name: "a", payload: ["text": .string(text)])
    await bench.tracker.flush()
    let requests = bench.transport.requests
    try #require(requests.count == 1)
    return requests[0]
  }

  private func body(_ request: HTTPTransportRequest) throws -> [UInt8] { try #require(request.body) }

  private static let repeated = String(repeating: "tea ", count: 2000)

  @Test("is compressed in the endpoint's format, and its header says so", arguments: formats)
  func compressed(compression: TrackingEndpoint.Compression, format: Zlib.Format) async throws {
    let request = try await request(text: Self.repeated, compression: compression)
    expectNoDifference(request.headers["Content-Encoding"], compression == .gzip ? "gzip" : "deflate")
    let body = try body(request)
    #expect(body.count < 1000)
    // RFC 1950 and RFC 1952: how each format begins.
    expectNoDifference(Array(body.prefix(compression == .gzip ? 2 : 1)), compression == .gzip ? [0x1F, 0x8B] : [0x78])
    let event = try JSONReader().value(try Zlib.decompress(body, limit: 1 << 20))
    guard case .array(let events) = event else { return #expect(Bool(false), "no array of events") }
    expectNoDifference(events.map { $0["payload"] }, [["text": .string(Self.repeated)]])
  }

  @Test("is sent as it is where the endpoint compresses nothing, without the header")
  func none() async throws {
    let request = try await request(text: Self.repeated, compression: .none)
    expectNoDifference(request.headers["Content-Encoding"], nil)
    #expect(try body(request).first == UInt8(ascii: "["))
  }

  @Test("is compressed above the threshold alone", arguments: [5120, 200])
  func threshold(bytes: Int) async throws {
    let empty = try body(try await request(text: "", compression: .none)).count
    let fitting = String(repeating: "x", count: bytes - empty)
    let below = try await request(text: fitting, threshold: bytes)
    expectNoDifference(try body(below).count, bytes)
    expectNoDifference(below.headers["Content-Encoding"], nil)
    let above = try await request(text: fitting + "x", threshold: bytes)
    expectNoDifference(above.headers["Content-Encoding"], "deflate")
  }

  @Test("has a threshold of 5,120 bytes unless told otherwise")
  func standardThreshold() throws {
    let url = try #require(URL(string: "http://collector.test/events"))
    expectNoDifference(TrackingEndpoint(url: url).compressionThreshold, 5120)
    expectNoDifference(TrackingEndpoint(url: url).compression, .deflate)
  }

  @Test("is compressed if that makes it smaller, and else stays as it is", arguments: formats)
  func onlyIfSmaller(compression: TrackingEndpoint.Compression, format: Zlib.Format) async throws {
    var random = SplitMix64(seed: 7)
    var counts = (compressed: 0, plain: 0)
    for length in 0..<60 {
      // Scalars of three bytes with no order in them: they cost as much as the names of the members save.
      let scalars = (0..<length).compactMap { _ in UnicodeScalar(0x800 + UInt32(random.next() % 0xD000)) }
      let text = length == 0 ? Self.repeated : String(String.UnicodeScalarView(scalars))
      let request = try await request(text: text, compression: compression, threshold: 0)
      let sent = try body(request)
      let isCompressed = request.headers["Content-Encoding"] != nil
      let plain = isCompressed ? try Zlib.decompress(sent, limit: 1 << 20) : sent
      expectNoDifference(plain.first, UInt8(ascii: "["))
      let compressed = try #require(Zlib.compress(plain, as: format, level: 4))
      expectNoDifference(isCompressed, compressed.count < plain.count)
      if isCompressed { counts.compressed += 1 } else { counts.plain += 1 }
    }
    #expect(counts.compressed > 0 && counts.plain > 0)
  }
}
