/// Finds articles by words.
struct SearchScreen {
  let logger: any EventLogger

  func show(from source: String) {
    logger.logEvents(name: EventNames.Search.view, parameters: [[ParameterKeys.source: source]])
  }

  func search(_ words: String, hits: Int) {
    logger.logEvents(
      name: EventNames.Search.query, parameters: [[ParameterKeys.query: words, ParameterKeys.hits: hits]])
    if hits == 0 {
      logger.logEvents(name: EventNames.Search.empty, parameters: [[ParameterKeys.query: words]])
    }
  }

  func open(_ article: Article, at position: Int) {
    logger.logEvents(
      name: EventNames.Search.resultTap,
      parameters: [[ParameterKeys.articleID: article.id, ParameterKeys.position: String(position)]])
  }

  func repeatRecent(_ words: String) {
    logger.logEvents(name: EventNames.Search.recentTap, parameters: [[ParameterKeys.query: words]])
  }

  func clearRecent(count: Int) {
    logger.logEvents(name: EventNames.Search.recentClear, parameters: [[ParameterKeys.count: count]])
  }

  func speak(language: String, seconds: Double) {
    logger.logEvents(
      name: EventNames.Search.voice, parameters: [[ParameterKeys.language: language, "seconds": seconds]])
  }

  func accept(_ suggestion: String, at position: Int) {
    let key = ParameterKeys.position
    logger.logEvents(
      name: EventNames.Search.suggestion, parameters: [[ParameterKeys.query: suggestion, key: String(position)]])
  }

  func save(_ words: String, notifies: Bool) {
    let name = EventNames.Search.save
    logger.logEvents(name: name, parameters: [[ParameterKeys.query: words, "notify": notifies]])
  }

  func cancel() {
    logger.logEvents(name: EventNames.Search.cancel, parameters: [[ParameterKeys.debug: "keyboard"]])
  }
}
