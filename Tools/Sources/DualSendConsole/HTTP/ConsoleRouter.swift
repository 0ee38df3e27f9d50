import DualSend
import DualSendCollector
import DualSendCore
import Foundation

/// Answers requests that were let in; see `API.md`.
struct ConsoleRouter: Sendable {
  /// A request as far as it was read.
  struct Request: Sendable {
    let method: String
    /// The path below the token, as it was sent.
    let path: Substring
    let query: [String: String]
    let body: [UInt8]
    let encoding: String?
    let contentType: String?
    let hasOrigin: Bool
    let ifNoneMatch: String?
  }

  let configuration: ConsoleConfiguration
  let showsValues: Bool
  let pairs: LivePairs
  let workbench: any ConsoleWorkbench
  let page: PageFiles

  func answer(_ request: Request) async -> ConsoleAnswer {
    do {
      if request.path.hasPrefix("api/") { return try await api(request) }
      switch (request.method, request.path) {
      case ("POST", "events"): return try await events(request)
      case ("POST", "mirror"): return try await mirror(request)
      case ("GET", "rollout.json"): return try await rollout(request)
      case ("GET", "rollout.json.sig"): return try await signature()
      case ("GET", let path):
        if let file = page.answer(path) { return file }
        throw ConsoleFailure(404, "there is nothing at this address")
      default: throw ConsoleFailure(405, "this address is not for \(request.method)")
      }
    } catch let failure as ConsoleFailure {
      return failure.answer
    } catch {
      return ConsoleFailure(500, String(describing: error)).answer
    }
  }

  // MARK: What apps use

  private func events(_ request: Request) async throws(ConsoleFailure) -> ConsoleAnswer {
    let batch: EventBatch
    do throws(RequestFault) {
      let limit = configuration.maximumBatchBytes
      let body = try EventBatch.decoded(request.body, encoding: request.encoding, limit: limit)
      batch = try EventBatch(body, limit: limit)
    } catch {
      await pairs.noteRefusal(of: .collector, error.description)
      throw ConsoleFailure(error.status, error.description)
    }
    let accepted = await pairs.addNew(batch.events, malformed: batch.malformed)
    return Self.answer(accepted: accepted, faults: batch.faults.map(\.description))
  }

  /// - Parameter faults: why the other elements were not taken.
  private static func answer(accepted: Int, faults: [String]) -> ConsoleAnswer {
    var members: [String: EventValue] = ["accepted": .int(Int64(accepted))]
    if !faults.isEmpty {
      members["malformed"] = .int(Int64(faults.count))
      members["faults"] = .array(faults.prefix(5).map { .string($0.printable(limit: PrintableText.lineLimit)) })
    }
    return .json(.object(members))
  }

  private func mirror(_ request: Request) async throws(ConsoleFailure) -> ConsoleAnswer {
    let body: EventValue
    do throws(JSONError) { body = try JSONReader().value(request.body) } catch {
      let place = SourceText(request.body, name: nil).position(at: error.offset)
      let reason = "line \(place.line), column \(place.column) is not JSON: \(error.description)"
      await pairs.noteRefusal(of: .mirror, reason)
      throw ConsoleFailure(400, reason)
    }
    guard case .object(let members) = body, case .array(let list)? = members["pairs"] else {
      await pairs.noteRefusal(of: .mirror, "the body is not an object with `pairs`")
      throw ConsoleFailure(400, "the body is not an object with `pairs`")
    }
    var mirrored: [LiveMirrored] = []
    var faults: [String] = []
    for (index, element) in list.enumerated() {
      do throws(LiveMirrored.Fault) { mirrored.append(try LiveMirrored(element)) } catch {
        let place = "pairs[\(index)]" + (error.member.map { ".\($0)" } ?? "")
        faults.append("\(place) is missing or is not what it should be")
      }
    }
    let accepted = await pairs.addMirrored(mirrored, malformed: faults.count)
    return Self.answer(accepted: accepted, faults: faults)
  }

  private func rollout(_ request: Request) async throws(ConsoleFailure) -> ConsoleAnswer {
    guard let live = await workbench.liveRollout() else { throw ConsoleFailure(404, "there is no rollout document") }
    let tag = "\"\(EntityTag.text(of: live.document))\""
    var headers = ["Content-Type": "application/json", "Cache-Control": "no-cache", "ETag": tag]
    if let signature = live.signature {
      headers["X-Rollout-Signature"] = String(decoding: signature, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let isKnown = request.ifNoneMatch.map { $0.contains(tag) || $0 == "*" } ?? false
    return ConsoleAnswer(status: isKnown ? 304 : 200, headers: headers, body: isKnown ? [] : live.document)
  }

  private func signature() async throws(ConsoleFailure) -> ConsoleAnswer {
    guard let signature = await workbench.liveRollout()?.signature else {
      throw ConsoleFailure(404, "the rollout document is not signed")
    }
    return ConsoleAnswer(headers: ["Content-Type": "text/plain"], body: signature)
  }

  // MARK: What the page uses

  private func api(_ request: Request) async throws -> ConsoleAnswer {
    let parts = request.path.split(separator: "/").dropFirst().map { $0.removingPercentEncoding ?? String($0) }
    switch (request.method, parts.first) {
    case ("GET", "state") where parts.count == 1: return await state()
    case ("GET", "live"): return try await live(request, parts)
    case ("GET", _):
      if let answer = try await workbench.answer(ConsoleRequest(.get, parts, query: request.query)) { return answer }
    case ("POST", _):
      let members = try members(of: request)
      let request = ConsoleRequest(.post, parts, query: request.query, members: members)
      if let answer = try await workbench.answer(request) { return answer }
    default: throw ConsoleFailure(405, "this address is not for \(request.method)")
    }
    throw ConsoleFailure(404, "there is nothing at this address")
  }

  private func members(of request: Request) throws(ConsoleFailure) -> [String: EventValue] {
    guard request.hasOrigin else { throw ConsoleFailure(403, "the request does not say which page sent it") }
    let type = request.contentType?.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) }
    guard type?.lowercased() == "application/json" else {
      throw ConsoleFailure(415, "the body is not said to be application/json")
    }
    do {
      guard case .object(let members) = try JSONReader().value(request.body) else {
        throw ConsoleFailure(400, "the body is not a JSON object")
      }
      return members
    } catch let error as JSONError {
      throw ConsoleFailure(400, "the body is not JSON: \(error.description) at byte \(error.offset)")
    } catch {
      throw ConsoleFailure(400, "the body is not a JSON object")
    }
  }

  private func state() async -> ConsoleAnswer {
    var members = await workbench.state()
    members["version"] = 1
    members["showValues"] = .bool(showsValues)
    members["totals"] = await pairs.totals
    members["sources"] = await pairs.sourcesJSON
    members["newest"] = .int(await pairs.newest)
    members["kept"] = await pairs.holdings
    return .json(.object(members))
  }

  private func live(_ request: Request, _ parts: [String]) async throws(ConsoleFailure) -> ConsoleAnswer {
    if parts.count == 1 {
      return .json(await pairs.page(try LiveFilter(request.query)))
    }
    guard parts.count == 2, let id = EventID(parts[1]), let detail = await pairs.detail(id, showsValues: showsValues)
    else { throw ConsoleFailure(404, "this event is not kept", help: "only the newest ones are") }
    return .json(detail)
  }
}
