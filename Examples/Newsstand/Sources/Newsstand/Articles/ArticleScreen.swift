/// Shows one article. The oldest screen of the app: it logs with literals only.
final class ArticleScreen {
  private let logger: any EventLogger
  private let article: Article

  init(_ article: Article, logger: any EventLogger) {
    self.article = article
    self.logger = logger
  }

  func open(at position: Int) {
    logger.logEvents(
      name: "article.open",
      parameters: [
        ["article_id": article.id, "pos": String(position), "section": article.section, "premium": article.isPremium]
      ])
  }

  func scroll(to share: Double) {
    logger.logEvents(name: "article.scroll", parameters: [["article_id": article.id, "depth": share]])
    if share >= 1 {
      logger.logEvents(name: "article.read_to_end", parameters: [["article_id": article.id, "words": article.words]])
    }
  }

  func tapAuthor() {
    logger.logEvents(name: "article.author.tap", parameters: [["author": article.author, "article_id": article.id]])
  }

  func tapTag(_ tag: String) {
    logger.logEvents(name: "article.tag.tap", parameters: [["tag": tag]])
  }

  func zoomImage(_ index: Int) {
    logger.logEvents(
      name: "article.image.zoom",
      parameters: [["article": ["id": article.id, "section": article.section], "img": index]])
  }

  func changeTextSize(from old: Int, to new: Int) {
    logger.logEvents(name: "article.text_size.change", parameters: [["from": old, "to": new]])
  }

  func openLink(_ host: String) {
    logger.logEvents(name: "article.link.open", parameters: [["host": host, "external": "1"]])
  }

  func print() {
    logger.logEvents(name: "article.print", parameters: [["article_id": article.id, "debug": "printer"]])
  }

  func close(after seconds: Double) {
    logger.logEvents(
      name: "article.close", parameters: [["article_id": article.id, "sec": seconds, "tags": article.tags]])
  }
}
