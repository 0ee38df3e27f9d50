import DualSendCommandLine
import DualSendCore
import Foundation

/// Answers accepted requests by their routes.
struct ConsoleRouter: Sendable {
  let pages: ConsolePages
  let files: PageFiles
  var routes = ConsoleRoute.all

  /// The route of a path; for any method if `method` is `nil`.
  func route(to path: [String], by method: ConsoleRequest.Method? = nil) -> ConsoleRoute? {
    routes.first { $0.has(path) && (method == nil || $0.method == method) }
  }

  func answer(_ request: ConsoleRequest) async -> ConsoleAnswer {
    do {
      return try await answerRoute(request)
    } catch let failure as ConsoleFailure {
      return failure.answer
    } catch let error as CommandError {
      return ConsoleFailure(500, error.message, help: error.help).answer
    } catch let error as DocumentError {
      let text = (try? request.optionalText("text")) ?? nil
      let placed = PlacedDiagnostics(in: text ?? "").json(error.diagnostics)
      return ConsoleFailure(422, "the document is refused", members: ["diagnostics": placed]).answer
    } catch {
      return ConsoleFailure(500, String(describing: error)).answer
    }
  }

  private func answerRoute(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    guard let method = request.method, let route = route(to: request.path, by: method) else {
      if request.method == .get, let file = files.answer(request.path) { return file }
      guard request.method != nil, route(to: request.path) == nil else {
        throw ConsoleFailure(405, "this address does not take \(request.methodText)")
      }
      throw ConsoleFailure(404, "there is nothing at this address")
    }
    guard request.readingToken != nil || route.onlyReads else {
      throw ConsoleFailure(403, "this link is for reading only", help: "act with the address that the console printed")
    }
    guard route.client == .page, method == .post else { return try await route.action(pages, request) }
    var request = request
    request.members = try members(of: request)
    return try await route.action(pages, request)
  }

  private func members(of request: ConsoleRequest) throws(ConsoleFailure) -> [String: EventValue] {
    guard request.headers.hasOrigin else {
      throw ConsoleFailure(
        403, "the request has no Origin", help: "send that of the page, such as `Origin: http://127.0.0.1:PORT`")
    }
    let type = request.headers.contentType?.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) }
    guard type?.lowercased() == "application/json" else {
      throw ConsoleFailure(415, "the Content-Type is not application/json")
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
}
