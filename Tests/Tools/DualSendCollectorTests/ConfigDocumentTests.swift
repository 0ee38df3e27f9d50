import DualSendCore
import Foundation
import Testing

@testable import DualSendCollector

@Suite("A document that the collector hands out", .timeLimit(.minutes(5)))
struct ConfigDocumentTests {
  private let path = "/rollout.json"

  @Test("comes with its bytes, a strong entity tag and the registered header fields")
  func served() async throws {
    try await CollectorClient.with { client async throws in
      await client.server.setDocument(Array("{}".utf8), headers: ["X-Signature": "abc"], at: path)
      let answer = try await client.get(path)
      #expect(answer.status == 200)
      #expect(answer.body == Array("{}".utf8))
      #expect(answer.header("ETag")?.hasPrefix("\"") == true)
      #expect(answer.header("X-Signature") == "abc")
    }
  }

  @Test("is 304 for whoever has it, whichever way the tag is written", arguments: ["%", "W/%", "\"x\", %", "*"])
  func notModified(_ form: String) async throws {
    try await CollectorClient.with { client async throws in
      await client.server.setDocument(Array("{}".utf8), at: path)
      let tag = try #require(try await client.get(path).header("ETag"))
      let again = try await client.get(path, headers: ["If-None-Match": form.replacing("%", with: tag)])
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
      let requests = await client.server.documentRequests(at: path)
      #expect(requests.total == 2)
      #expect(requests.notModified == 1)
    }
  }

  @Test("is counted, however many other paths were asked for, and not each of those is")
  func strangePaths() async throws {
    let documents = ConfigDocuments()
    for number in 0..<1_100 { _ = await documents.answer(path: "/\(number)", ifNoneMatch: nil) }
    await documents.set([], headers: [:], at: path)
    _ = await documents.answer(path: path, ifNoneMatch: nil)
    #expect(await documents.requests(at: "/0").total == 1)
    #expect(await documents.requests(at: "/1099").total == 0)
    #expect(await documents.requests(at: path).total == 1)
  }

  @Test("comes anew once it was swapped")
  func swapped() async throws {
    try await CollectorClient.with { client async throws in
      await client.server.setDocument(Array("1".utf8), at: path)
      let tag = try #require(try await client.get(path).header("ETag"))
      await client.server.setDocument(Array("2".utf8), at: path)
      let answer = try await client.get(path, headers: ["If-None-Match": tag])
      #expect(answer.status == 200)
      #expect(answer.body == Array("2".utf8))
    }
  }

  @Test("is 404 where none is registered, or it was taken away")
  func missing() async throws {
    try await CollectorClient.with { client async throws in
      #expect(try await client.get(path).status == 404)
      await client.server.setDocument([], at: path)
      #expect(try await client.get(path).status == 200)
      await client.server.removeDocument(at: path)
      #expect(try await client.get(path).status == 404)
    }
  }

  @Test("can be made to fail, and then comes well again")
  func faults() async throws {
    try await CollectorClient.with { client async throws in
      await client.server.setDocument(Array("{}".utf8), at: path)
      let faults = [CollectorFault(.status(503), .next(1), retryAfter: .seconds(9)), CollectorFault(.cut, .next(1))]
      await client.server.setDocumentFaults(faults, at: path)
      #expect(try await client.get(path).header("Retry-After") == "9")
      await #expect(throws: HTTPTransportError.self) { try await client.get(path) }
      #expect(try await client.get(path).status == 200)
    }
  }

  @Test("is a file as it is at each request: replaced, gone, unreadable, back again")
  func file() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("served-\(UUID())")
    let file = folder.appendingPathComponent("rollout.json")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("1".utf8).write(to: file)
    try await CollectorClient.with { client async throws in
      await client.server.setDocument(file: file, at: path)
      let tag = try #require(try await client.get(path).header("ETag"))
      #expect(try await client.get(path, headers: ["If-None-Match": tag]).status == 304)
      try Data("2".utf8).write(to: file)
      let replaced = try await client.get(path, headers: ["If-None-Match": tag])
      #expect(replaced.status == 200)
      #expect(replaced.body == Array("2".utf8))
      try FileManager.default.removeItem(at: file)
      #expect(try await client.get(path).status == 404)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      #expect(try await client.get(path).status == 503)
      try FileManager.default.removeItem(at: file)
      try Data("1".utf8).write(to: file)
      #expect(try await client.get(path).header("ETag") == tag)
    }
  }
}
