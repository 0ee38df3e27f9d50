/// The actions for an article.
struct ArticleActions {
  let logger: any EventLogger
  let article: Article

  func like() {
    let own: [String: Any] = ["liked": "1"]
    logger.logEvents(
      name: "action.like", parameters: [own.merging(SharedParameters.article(article)) { own, _ in own }])
  }

  func unlike() {
    let own: [String: Any] = ["liked": "0"]
    logger.logEvents(
      name: "action.like", parameters: [own.merging(SharedParameters.article(article)) { own, _ in own }])
  }

  func save(to folder: String) {
    var parameters = SharedParameters.article(article)
    parameters["folder"] = folder
    logger.logEvents(name: "action.save", parameters: [parameters])
  }

  func unsave() {
    logger.logEvents(name: "action.unsave", parameters: [SharedParameters.article(article)])
  }

  func share(with target: String) {
    logger.logEvents(
      name: "action.share",
      parameters: [SharedParameters.article(article).merging(["target": target]) { _, new in new }])
  }

  func listen() {
    logger.logEvents(
      name: "action.listen",
      parameters: [
        SharedParameters.article(article).merging(SharedParameters.context(screen: "article")) { old, _ in old }
      ])
  }

  func translate(to language: String) {
    let shared = SharedParameters.article(article)
    logger.logEvents(
      name: "action.translate", parameters: [["lang": language].merging(shared) { _, shared in shared }])
  }

  func follow(_ topic: String) {
    var parameters: [String: Any] = ["topic": topic]
    parameters.merge(SharedParameters.context(screen: "article")) { own, _ in own }
    logger.logEvents(name: "action.follow", parameters: [parameters])
  }

  func mute(_ author: String) {
    logger.logEvents(
      name: "action.mute",
      parameters: [SharedParameters.context(screen: "article").merging(["author": author]) { $1 }])
  }

  func report(_ reason: String) {
    logger.logEvents(
      name: "action.report", parameters: [["reason": reason].merging(SharedParameters.session) { own, _ in own }])
  }
}
