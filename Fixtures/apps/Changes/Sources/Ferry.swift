/// A ferry, which sends events of one object.
final class Ferry {
  let analytics = Analytics.shared
  private var waiting: [Event] = []

  func depart(isFull: Bool) {
    let event = Event("departed")
    event.parameters["pier"] = 1
    event.set("crew", 4)
    if isFull { event.set("full", true) }
    analytics.send(event)
    event.set("late", true)
  }

  func arrive(delay: Int) {
    let event = Event("arrived", ["delay": delay])
    analytics.send(event)
    event.set("pier", 2)
    analytics.send(event)
  }

  func dock() {
    let event = Event("docked")
    let same = event
    same.set("rope", 1)
    sign(event)
    analytics.send(event)
  }

  private func sign(_ event: Event) {
    event.set("signed_by", "mate")
  }

  func advertise() {
    let event = Event("advertised", ["board": 3])
    Campaign.complete(event)
    analytics.send(event)
  }

  func turn(_ prepare: (Event) -> Void) {
    let event = Event("turned")
    prepare(event)
    event.set("knots", 5)
    analytics.send(event)
  }

  func wait() {
    let event = Event("waited")
    waiting.append(event)
    call()
    analytics.send(event)
  }

  private func call() {
    for event in waiting { event.set("called", true) }
  }
}
