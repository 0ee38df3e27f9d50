/// The comments below an article.
struct CommentsScreen {
  private typealias Key = ParameterKeys
  private typealias Name = EventNames.Comments

  private static let sourceValue = "comments"
  let logger: any EventLogger
  let article: Article

  func show(_ comments: [Comment]) {
    logger.logEvents(name: Name.view, parameters: [[Key.articleID: article.id, Key.count: comments.count]])
  }

  func loadMore(from position: Int) {
    logger.logEvents(name: Name.more, parameters: [[Key.articleID: article.id, Key.position: String(position)]])
  }

  func like(_ comment: Comment) {
    logger.logEvents(name: Name.like, parameters: [[Key.commentID: comment.id, "likes": comment.likes]])
  }

  func reply(to comment: Comment) {
    logger.logEvents(name: Name.reply, parameters: [[Key.commentID: comment.id, Key.source: Self.sourceValue]])
  }

  func report(_ comment: Comment, because reason: String) {
    logger.logEvents(name: Name.report, parameters: [[Key.commentID: comment.id, Key.reason: reason]])
  }

  func hide(_ comment: Comment) {
    logger.logEvents(name: Name.hide, parameters: [[Key.commentID: comment.id]])
  }

  func copy(_ comment: Comment) {
    logger.logEvents(
      name: Name.copy, parameters: [[Key.commentID: comment.id, Key.count: comment.text.count]])
  }

  func translate(_ comment: Comment, to language: String) {
    logger.logEvents(name: Name.translate, parameters: [[Key.commentID: comment.id, Key.language: language]])
  }

  func openAuthor(of comment: Comment) {
    logger.logEvents(name: Name.profile, parameters: [["comment": ["id": comment.id, "article": comment.articleID]]])
  }

  func close() {
    logger.logEvents(name: Name.close, parameters: [[Key.articleID: article.id]])
  }
}
