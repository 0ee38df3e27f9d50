/// Pages through the feed's sections, whose names come from the server.
struct SectionPager {
  let logger: any EventLogger
  let section: String

  func show() {
    logger.logEvents(name: "section.\(section).view", parameters: [["section": section]])
  }

  func swipe(to other: String) {
    logger.logEvents(name: "section.\(section).swipe", parameters: [["to": other]])
  }

  func refresh(_ count: Int) {
    logger.logEvents(name: "section.\(section).refresh", parameters: [["n": count]])
  }

  func open(_ article: Article, at position: Int) {
    logger.logEvents(
      name: "section.\(section).open", parameters: [["article_id": article.id, "pos": String(position)]])
  }

  func pin(_ isPinned: Bool) {
    logger.logEvents(name: "section.\(section).pin", parameters: [["pinned": isPinned ? "1" : "0"]])
  }

  func hide() {
    logger.logEvents(name: "section.\(section).hide", parameters: [[:]])
  }

  func move(from old: Int, to new: Int) {
    logger.logEvents(name: "section.\(section).move", parameters: [["from": old, "to": new]])
  }

  func showMarket(_ symbol: String, change: Double) {
    logger.logEvents(name: "market.\(symbol)", parameters: [["change": change]])
  }

  func showWeather(_ city: String, celsius: Double) {
    logger.logEvents(name: "weather.\(city)", parameters: [["temp": ["c": celsius]]])
  }

  func showScore(_ league: String, home: Int, away: Int) {
    logger.logEvents(name: "score.\(league)", parameters: [["goals": ["home": home, "away": away]]])
  }
}
