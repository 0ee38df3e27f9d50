/// Events of a type of their own, beside the namespace.
struct Profile {
  let tracker: Tracker
  private(set) var name: String?

  mutating func rename(_ name: String) {
    let old = self.name
    self.name = name
    tracker.track(.Profile.renamed(from: old, to: name))
  }

  func photo(_ isSet: Bool) {
    tracker.track(isSet ? .Profile.photoSet : .Profile.photoRemoved)
  }

  func raw(_ name: String) {
    tracker.track(Event("profile_\(name)", ["raw": true]))
  }

  func direct() {
    tracker.track(Event("profile_direct", ["name": name ?? "none"]))
  }
}

extension Event {
  enum Profile {
    static func renamed(from old: String?, to new: String) -> Event {
      var properties = ["new": new]
      properties["old"] = old
      return Event("profile_renamed", properties)
    }

    static let photoSet = Event("profile_photo_set")
    static let photoRemoved = Event("profile_photo_removed")
  }
}
