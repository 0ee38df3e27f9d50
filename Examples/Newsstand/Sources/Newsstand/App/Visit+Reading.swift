/// The feed and the articles.
extension Visit {
  func readFeed() {
    let feed = FeedScreen(logger: logger)
    feed.show("front")
    feed.refresh(articles)
    feed.open(articles[0], at: 0)
    feed.hide(articles[1])
    feed.like(articles[0])
    feed.unlike(articles[0])
    feed.save(articles[2])
    feed.openAd("spring")
    feed.showModule("Weekend", articles)
    feed.fail(503)
    feed.reachEnd()

    let impressions = FeedImpressions(logger: logger)
    impressions.see(articles)
    impressions.see(episodes)
    impressions.see(plans)
    impressions.see(comments, below: articles[0])
    impressions.compare(articles[0], articles[1])
    impressions.carousel(1, 2, 3)
    impressions.advertise("spring")
    impressions.time(articles, seconds: 2.5)
    impressions.rank(articles)
    impressions.list(articles)
    turnPages()
  }

  private func turnPages() {
    let tabs = TabBar(logger: logger)
    for tab in TabBar.Tab.allCases {
      tabs.select(tab, from: .home)
      tabs.reselect(tab)
      tabs.showBadge(tab, count: 3)
    }
    tabs.press("home")
    tabs.swipe(to: "audio", velocity: 1.5)
    tabs.scrollToTop("home")
    tabs.openShortcut("search", position: 2)
    tabs.openWidget("small")
    tabs.restore("library")
    tabs.rotate(to: "landscape")

    for section in ["travel", "food"] {
      let pager = SectionPager(logger: logger, section: section)
      pager.show()
      pager.swipe(to: "front")
      pager.refresh(12)
      pager.open(articles[0], at: 4)
      pager.pin(section == "travel")
      pager.hide()
      pager.move(from: 3, to: 1)
    }
    let pager = SectionPager(logger: logger, section: "front")
    pager.showMarket("index", change: -0.75)
    pager.showWeather("lisbon", celsius: 21.5)
    pager.showScore("national", home: 2, away: 1)
  }

  func readArticles() {
    let screen = ArticleScreen(articles[0], logger: logger)
    screen.open(at: 3)
    screen.scroll(to: 0.5)
    screen.scroll(to: 1)
    screen.tapAuthor()
    screen.tapTag("bridges")
    screen.zoomImage(2)
    screen.changeTextSize(from: 16, to: 18)
    screen.openLink("example.org")
    screen.print()
    screen.close(after: 210.25)

    let actions = ArticleActions(logger: logger, article: articles[1])
    actions.like()
    actions.unlike()
    actions.save(to: "later")
    actions.unsave()
    actions.share(with: "mail")
    actions.listen()
    actions.translate(to: "fr")
    actions.follow("bread")
    actions.mute("kitchen")
    actions.report("typo")

    ReadingStarted(article: articles[0]).send(to: logger)
    ReadingPaused(article: articles[0], share: 0.25).send(to: logger)
    for article in articles { ReadingFinished(article: article, seconds: 300.5).send(to: logger) }
    HighlightMade(colour: .yellow, characters: 84).send(to: logger)
    NoteWritten(characters: 120).send(to: logger)
    WordLookedUp(language: "en").send(to: logger)
    StreakReached(days: 30).send(to: logger)
    GoalSet(minutes: 20).send(to: logger)
    SurveyAnswered(answers: [4, 2, 5]).send(to: logger)
    PuzzleSolved(seconds: 95.5, hints: 1).send(to: logger)
    share()
  }

  private func share() {
    let sheet = ShareSheet(logger: logger, article: articles[0])
    sheet.show()
    sheet.mail(to: 2)
    sheet.message(to: 1)
    sheet.copyLink()
    sheet.quote("A bridge of rope")
    sheet.image(width: 1_200, height: 630)
    sheet.gift()
    sheet.acceptGift(from: "gift-4")
    sheet.cancel()
    sheet.fail(7)
  }
}
