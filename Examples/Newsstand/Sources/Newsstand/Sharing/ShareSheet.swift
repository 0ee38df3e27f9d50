/// Shares an article.
enum ShareEvent: String {
  case sheetView = "share.sheet.view"
  case mail = "share.mail"
  case message = "share.message"
  case copyLink = "share.copy_link"
  case quote = "share.quote"
  case image = "share.image"
  case gift = "share.gift"
  case giftAccepted = "share.gift.accepted"
  case cancelled
  case failed
}

struct ShareSheet {
  enum Field: String {
    case article
    case characters = "chars"
    case error = "err"
    case id
    case recipients = "rcpt"
    case section
  }

  let logger: any EventLogger
  let article: Article

  func show() {
    logger.logEvents(
      name: ShareEvent.sheetView.rawValue,
      parameters: [
        [Field.article.rawValue: [Field.id.rawValue: article.id, Field.section.rawValue: article.section]]
      ])
  }

  func mail(to recipients: Int) {
    logger.logEvents(name: ShareEvent.mail.rawValue, parameters: [[Field.recipients.rawValue: recipients]])
  }

  func message(to recipients: Int) {
    logger.logEvents(name: ShareEvent.message.rawValue, parameters: [[Field.recipients.rawValue: recipients]])
  }

  func copyLink() {
    logger.logEvents(name: ShareEvent.copyLink.rawValue, parameters: [[Field.article.rawValue: article.id]])
  }

  func quote(_ text: String) {
    logger.logEvents(
      name: ShareEvent.quote.rawValue,
      parameters: [[Field.article.rawValue: article.id, Field.characters.rawValue: text.count]])
  }

  func image(width: Int, height: Int) {
    logger.logEvents(
      name: ShareEvent.image.rawValue, parameters: [["size": ["w": width, "h": height]]])
  }

  func gift() {
    logger.logEvents(name: ShareEvent.gift.rawValue, parameters: [[Field.article.rawValue: article.id, "left": 4]])
  }

  func acceptGift(from code: String) {
    logger.logEvents(name: ShareEvent.giftAccepted.rawValue, parameters: [["code": code]])
  }

  func cancel() {
    logger.logEvents(name: ShareEvent.cancelled.rawValue, parameters: [[:]])
  }

  func fail(_ code: Int) {
    logger.logEvents(name: ShareEvent.failed.rawValue, parameters: [[Field.error.rawValue: String(code)]])
  }
}
