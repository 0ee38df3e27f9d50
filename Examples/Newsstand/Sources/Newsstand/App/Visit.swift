/// One reader's visit: uses every control in a fixed order, without clocks or randomness.
struct Visit {
  let logger: any EventLogger

  let articles = SampleIssue.articles
  let comments = SampleIssue.comments
  let episodes = SampleIssue.episodes
  let plans = SampleIssue.plans

  func run() {
    begin()
    readFeed()
    readArticles()
    discuss()
    searchAround()
    listen()
    goOffline()
    subscribe()
    lookAtProfile()
    changeSettings()
    followLinks()
    end()
  }

  private func begin() {
    let lifecycle = Lifecycle(logger: logger)
    lifecycle.launch(cold: true, milliseconds: 812)
    lifecycle.update(from: "5.0.9", to: "5.1.0")
    lifecycle.measure(start: 410, draw: 122)
    lifecycle.list(["feed", "audio", "offline"])
    for isGranted in [false, true] { lifecycle.answerConsent(isGranted, for: ["statistics", "product"]) }

    let onboarding = OnboardingScreen(logger: logger)
    onboarding.begin()
    onboarding.next()
    onboarding.back()
    onboarding.choose(["travel", "food"])
    onboarding.askForPush()
    onboarding.answerPush(allowed: true)
    onboarding.signIn(with: "mail")
    onboarding.skip()
    onboarding.finish(after: 64.5)
  }

  private func end() {
    let lifecycle = Lifecycle(logger: logger)
    lifecycle.warn(48)
    lifecycle.sample([12.5, 11.75])
    lifecycle.crash(1, signal: "SIGABRT")
    lifecycle.leave(after: 1_800.25)
    lifecycle.quit(clean: true, open: ["feed", "article"])
  }
}
