/// Not among the sources that are read.
enum Campaign {
  static func complete(_ event: Event) {
    event.set("campaign", "summer")
  }
}
