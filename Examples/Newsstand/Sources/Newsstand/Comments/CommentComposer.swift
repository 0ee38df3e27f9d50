/// Writes and edits comments.
struct CommentComposer {
  enum Event: AppEvent {
    case opened(articleID: Int)
    case typed(characters: Int)
    case formatted(style: Style)
    case previewed
    case posted(articleID: Int, characters: Int)
    case rejected(rule: String)
    case edited(commentID: Int)
    case deleted(commentID: Int)
    case discarded(characters: Int)

    enum Style: String {
      case bold, italic, quote
    }

    var name: String {
      switch self {
      case .opened: "composer.view"
      case .typed: "composer.type"
      case .formatted: "composer.format"
      case .previewed: "composer.preview"
      case .posted: "composer.post"
      case .rejected: "composer.reject"
      case .edited: "composer.edit"
      case .deleted: "composer.delete"
      case .discarded: "composer.discard"
      }
    }

    var parameters: [String: Any] {
      switch self {
      case .opened(let articleID): ["article_id": articleID]
      case .typed(let characters), .discarded(let characters): ["chars": characters]
      case .formatted(let style): ["style": style.rawValue]
      case .previewed: [:]
      case .posted(let articleID, let characters): ["article_id": articleID, "chars": String(characters)]
      case .rejected(let rule): ["rule": rule, "schema": 1]
      case .edited(let commentID), .deleted(let commentID): ["comment_id": commentID]
      }
    }
  }

  let logger: any EventLogger

  func open(for article: Article) {
    logger.send(Event.opened(articleID: article.id))
  }

  func type(_ text: String) {
    logger.send(Event.typed(characters: text.count))
  }

  func format(_ style: Event.Style) {
    logger.send(Event.formatted(style: style))
  }

  func preview() {
    logger.send(Event.previewed)
  }

  func post(_ text: String, below article: Article) {
    logger.send(Event.posted(articleID: article.id, characters: text.count))
  }

  func reject(by rule: String) {
    logger.send(Event.rejected(rule: rule))
  }

  func edit(_ comment: Comment) {
    logger.send(Event.edited(commentID: comment.id))
  }

  func delete(_ comment: Comment) {
    logger.send(Event.deleted(commentID: comment.id))
  }

  func discard(_ text: String) {
    logger.send(Event.discarded(characters: text.count))
  }
}
