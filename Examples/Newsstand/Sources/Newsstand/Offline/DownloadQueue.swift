/// Downloads articles one after the other.
final class DownloadQueue {
  private let logger: any EventLogger
  private var waiting = 0

  init(logger: any EventLogger) {
    self.logger = logger
  }

  func add(_ article: Article, isManual: Bool) {
    waiting += 1
    var parameters: [String: Any] = ["article_id": article.id]
    parameters["n"] = waiting
    if isManual { parameters["manual"] = true }
    logger.logEvents(name: "queue.add", parameters: [parameters])
  }

  func start(over network: String?) {
    var parameters: [String: Any] = ["n": waiting]
    if let network {
      parameters["net"] = network
    } else {
      parameters["net"] = "none"
    }
    logger.logEvents(name: "queue.start", parameters: [parameters])
  }

  func fetch(_ article: Article, bytes: Int, milliseconds: Int) {
    var file: [String: Any] = [:]
    file["bytes"] = bytes
    file["ms"] = milliseconds
    let parameters: [String: Any] = ["article_id": article.id, "file": file]
    logger.logEvents(name: "queue.fetch", parameters: [parameters])
  }

  func fetchImages(_ article: Article, found: Int, failed: Int) {
    var parameters: [String: Any] = ["article_id": article.id, "found": found]
    if failed > 0 { parameters["failed"] = failed }
    logger.logEvents(name: "queue.images", parameters: [parameters])
  }

  func pause(because reason: String, battery: Double?) {
    var parameters = ["reason": reason] as [String: Any]
    if let battery { parameters["battery"] = battery }
    logger.logEvents(name: "queue.pause", parameters: [parameters])
  }

  func resume(automatically: Bool) {
    var parameters: [String: Any] = [:]
    parameters["auto"] = automatically ? "1" : "0"
    logger.logEvents(name: "queue.resume", parameters: [parameters])
  }

  func retry(_ article: Article, code: Int?) {
    var parameters: [String: Any] = [:]
    parameters["article_id"] = article.id
    if let code { parameters["err"] = String(code) }
    logger.logEvents(name: "queue.retry", parameters: [parameters])
  }

  func giveUp(_ article: Article, codes: [Int]) {
    var parameters: [String: Any] = ["article_id": article.id]
    var seen: [String] = []
    for code in codes { seen.append(String(code)) }
    parameters["codes"] = seen
    logger.logEvents(name: "queue.give_up", parameters: [parameters])
  }

  func evict(_ articles: [Article], bytes: Int) {
    var parameters: [String: Any] = ["n": articles.count, "debug": "lru"]
    parameters["bytes"] = bytes
    parameters["debug"] = nil
    logger.logEvents(name: "queue.evict", parameters: [parameters])
  }

  func finish() {
    var parameters: [String: Any] = [:]
    parameters["left"] = waiting
    defer { waiting = 0 }
    logger.logEvents(name: "queue.done", parameters: [parameters])
  }
}
