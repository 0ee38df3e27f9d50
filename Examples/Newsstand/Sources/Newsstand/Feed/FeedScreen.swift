/// The list of articles.
struct FeedScreen {
  let logger: any EventLogger

  func show(_ section: String) {
    logger.send(FeedEvent.shown(section: section))
  }

  func refresh(_ articles: [Article]) {
    logger.send(FeedEvent.refreshed(count: articles.count))
  }

  func open(_ article: Article, at position: Int) {
    logger.send(FeedEvent.cardTapped(id: article.id, position: position))
  }

  func hide(_ article: Article) {
    logger.send(FeedEvent.cardHidden(id: article.id))
  }

  func like(_ article: Article) {
    logger.send(FeedEvent.liked(id: article.id, isLiked: true))
  }

  func unlike(_ article: Article) {
    logger.send(FeedEvent.liked(id: article.id, isLiked: false))
  }

  func save(_ article: Article) {
    let event = FeedEvent.saved(id: article.id)
    logger.send(event)
  }

  func reachEnd() {
    logger.send(FeedEvent.endReached)
  }

  func openAd(_ campaign: String) {
    logger.send(FeedEvent.adTapped(campaign: campaign))
  }

  func showModule(_ title: String, _ articles: [Article]) {
    logger.send(FeedEvent.moduleShown(title: title, items: articles.count))
  }

  func fail(_ code: Int) {
    logger.send(FeedEvent.failed(code: code))
  }
}
