/// Reads downloaded articles, and logs the reading later.
final class OfflineReader {
  private let logger: any EventLogger
  private let article: Article

  init(_ article: Article, logger: any EventLogger) {
    self.article = article
    self.logger = logger
  }

  func open(age hours: Int) {
    logger.logEvents(name: "offline.open", parameters: [base(["hours": String(hours)])])
  }

  func scroll(to share: Double) {
    logger.logEvents(name: "offline.scroll", parameters: [base(["depth": share])])
  }

  func missImage(_ index: Int) {
    logger.logEvents(name: "offline.image.missing", parameters: [base(["img": index])])
  }

  func tapLink() {
    logger.logEvents(name: "offline.link.tap", parameters: [base([:])])
  }

  func highlight(_ characters: Int) {
    logger.logEvents(name: "offline.highlight", parameters: [base(["chars": characters])])
  }

  func close(after seconds: Double) {
    logger.logEvents(name: "offline.close", parameters: [base(["sec": seconds])])
  }

  func expire() {
    logger.logEvents(name: "offline.expire", parameters: [base(["reason": "age", "debug": "expire"])])
  }

  func goOnline(pending: Int) {
    let shared = SharedParameters.context(screen: "offline")
    logger.logEvents(name: "offline.end", parameters: [["n": pending].merging(shared) { own, _ in own }])
  }

  func goOffline(network: String) {
    let shared = SharedParameters.context(screen: "offline")
    logger.logEvents(name: "offline.begin", parameters: [shared.merging(["net": network]) { _, own in own }])
  }

  func sync(sent: Int, failed: Int) {
    let counts: [String: Any] = ["counts": ["sent": sent, "failed": failed]]
    logger.logEvents(name: "offline.sync", parameters: [counts.merging(SharedParameters.session) { $1 }])
  }

  private func base(_ own: [String: Any]) -> [String: Any] {
    let shared: [String: Any] = ["article_id": article.id, "offline": true]
    return shared.merging(own) { _, own in own }
  }
}
