/// Impressions of items on the screen, sent in batches.
struct FeedImpressions {
  let logger: any EventLogger

  func see(_ articles: [Article]) {
    logger.logEvents(name: "impression.article", parameters: articles.map { ["article_id": $0.id, "words": $0.words] })
  }

  func see(_ episodes: [Episode]) {
    logger.logEvents(
      name: "impression.episode",
      parameters: episodes.map { episode in ["episode_id": episode.id, "sec": episode.seconds] })
  }

  func see(_ plans: [Plan]) {
    let parameters: [[String: Any]] = plans.map { plan in
      ["plan": plan.id, "price": ["cents": plan.cents]]
    }
    logger.logEvents(name: "impression.plan", parameters: parameters)
  }

  func see(_ comments: [Comment], below article: Article) {
    logger.logEvents(
      name: "impression.comment", parameters: comments.map { ["comment_id": $0.id, "article_id": article.id] })
  }

  func compare(_ left: Article, _ right: Article) {
    logger.logEvents(
      name: "impression.pair",
      parameters: [["article_id": left.id, "side": "left"], ["article_id": right.id, "side": "right"]])
  }

  func carousel(_ first: Int, _ second: Int, _ third: Int) {
    logger.logEvents(
      name: "impression.carousel",
      parameters: [["pos": String(first), "first": true], ["pos": String(second)], ["pos": String(third)]])
  }

  func advertise(_ campaign: String) {
    logger.logEvents(
      name: "impression.ad",
      parameters: [["campaign": campaign, "slot": 1], ["campaign": campaign, "slot": 2, "debug": "second"]])
  }

  func time(_ articles: [Article], seconds: Double) {
    logger.logEvents(
      name: "impression.time",
      parameters: articles.map { article in
        return ["article": ["id": article.id, "section": article.section], "sec": seconds]
      })
  }

  func rank(_ articles: [Article]) {
    logger.logEvents(
      name: "impression.rank",
      parameters: articles.enumerated().map { ["article_id": $0.element.id, "pos": String($0.offset)] })
  }

  func list(_ articles: [Article]) {
    let items = articles.map { ["id": $0.id, "words": $0.words] }
    logger.logEvents(name: "impression.list", parameters: [["items": items, "n": articles.count]])
  }
}
