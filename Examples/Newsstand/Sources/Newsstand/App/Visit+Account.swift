import Foundation

/// The reader's account, subscription and settings.
extension Visit {
  func subscribe() {
    let paywall = Paywall(logger: logger)
    paywall.show(for: articles[1])
    paywall.choose(plans[0], at: 0)
    paywall.buy(plans[0])
    paywall.fail(plans[0], code: 402)
    paywall.succeed(plans[0], order: "o-77")
    paywall.restore(found: 1)
    paywall.showTerms()
    paywall.logIn()
    paywall.give(plans[1])
    paywall.close(because: "bought")

    let checkout = Checkout(logger: logger, plan: plans[0])
    checkout.begin(coupon: "SPRING", referrer: nil)
    checkout.begin(coupon: nil, referrer: "feed")
    checkout.enterAddress(country: "PT", isCompany: false)
    for saves in [true, false] { checkout.choosePayment("card", saves: saves) }
    checkout.apply("SPRING", percent: 20)
    checkout.apply("AUTUMN", percent: nil)
    for days in [nil, 14] { checkout.confirm(trialDays: days) }
    for seconds in [0.5, 2.5, 9.5] { checkout.wait(seconds: seconds) }
    checkout.verify(attempts: 2)
    checkout.finish(order: "o-78", email: "reader@example.org")
    for reason in [nil, "price"] { checkout.abandon(at: 2, because: reason) }

    let subscription = SubscriptionScreen(logger: logger)
    subscription.show()
    subscription.renew(plans[0])
    subscription.change(from: plans[0], to: plans[1])
    subscription.pause(for: 2)
    subscription.cancel(because: "time")
    subscription.keep(with: "half")
    subscription.failPayment(attempt: 1)
    subscription.updateCard()
    subscription.openInvoice("i-9")
  }

  func lookAtProfile() {
    let profile = ProfileScreen(logger: logger)
    profile.show(isSignedIn: true)
    profile.changePicture(bytes: 40_960)
    profile.changeName(characters: 12)
    profile.openHistory()
    profile.openSaved()
    profile.openComments()
    profile.export(format: "json")
    profile.askToDelete()
    profile.delete(because: "privacy")
    profile.close()

    let library = LibraryScreen(logger: logger)
    library.show(articles)
    library.showHistory(40)
    library.showHighlights(5)
    library.open(articles[0])
    library.archive(articles[0])
    library.remove(articles[1])
    library.highlight(articles[2])
    library.makeFolder("Trains")
    library.sort(by: "date")
    library.sync(after: 1.25, changes: 4)
  }

  func changeSettings() {
    let settings = SettingsScreen(logger: logger)
    settings.show()
    settings.setPush(true)
    settings.setLanguage("en")
    settings.setImages(overMobileData: false)
    settings.clearCache(megabytes: 12.5, files: 80)
    settings.openLicences()
    settings.writeToSupport(topic: "billing")
    settings.rate(5)
    settings.signOut(everywhere: false)
    settings.close()

    let appearance = AppearanceSettings(logger: logger)
    for theme in [AppearanceSettings.Theme.light, .dark, .system] {
      appearance.setTheme(theme)
      appearance.preview(theme)
    }
    for flag in [true, false] {
      appearance.turnDim(on: flag)
      appearance.setFont(serif: flag, size: 18)
      appearance.setJustified(flag)
      appearance.setMotion(reduced: flag)
      appearance.reset(everything: flag)
      appearance.close(changed: flag)
    }
    for count in 1...3 { appearance.setColumns(count) }
    for name in [nil, "night"] { appearance.setIcon(name) }

    let notifications = NotificationsScreen(logger: logger)
    notifications.show()
    notifications.turn("travel", on: true)
    notifications.turnSound(on: false)
    notifications.turnBadge(on: true)
    notifications.turnDigest(on: true, hour: 7)
    notifications.receive("c-1")
    notifications.open("c-1", after: 3.5)
    notifications.dismiss("c-2")
    notifications.openSystemSettings()
    notifications.snooze(8)
  }

  func followLinks() {
    let links = DeepLinks(logger: logger)
    if let link = URL(string: "newsstand://article/101?src=mail&day=3") {
      links.open(link)
      links.receiveQuery(of: link)
    }
    links.openCampaign("spring", day: 3)
    links.openNumbered(2)
    links.fail(404)
    links.receive(Data(#"{"event": "server.notice", "values": {"kind": "strike", "until": "monday"}}"#.utf8))
    links.receiveFromPage("web.quiz.done", height: 640)
    links.assign(["paywall": "b", "feed": "a"])
    links.expose("paywall", "b")
    links.replay(["replay.second", "replay.first"])
  }
}
