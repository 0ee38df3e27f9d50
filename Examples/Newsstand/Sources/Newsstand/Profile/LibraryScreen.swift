/// The saved articles.
final class LibraryScreen {
  private let logger: any EventLogger

  init(logger: any EventLogger) {
    self.logger = logger
  }

  func show(_ articles: [Article]) {
    view("library", count: articles.count)
  }

  func showHistory(_ count: Int) {
    view("library.history", count: count)
  }

  func showHighlights(_ count: Int) {
    view("library.highlights", count: count)
  }

  func open(_ article: Article) {
    act("library.article.open", on: article)
  }

  func archive(_ article: Article) {
    act("library.article.archive", on: article)
  }

  func remove(_ article: Article) {
    act("library.article.remove", on: article)
  }

  func highlight(_ article: Article) {
    act("library.highlight.add", on: article)
  }

  func makeFolder(_ name: String) {
    logger.track("library.folder.add", ["title": name])
  }

  func sort(by order: String) {
    logger.track("library.sort", ["order": order])
  }

  func sync(after seconds: Double, changes: Int) {
    logger.track("library.sync", ["sec": seconds, "changes": ["n": changes]])
  }

  private func view(_ screen: String, count: Int) {
    logger.trackView(screen, ["n": count])
  }

  private func act(_ name: String, on article: Article) {
    logger.track(name, ["article_id": article.id, "section": article.section])
  }
}
