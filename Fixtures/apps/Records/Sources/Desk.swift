/// Where people write.
struct Desk {
  let journal = Journal()

  func start() {
    journal.post(.launch)
    journal.post(Entry("desk", extras: ["lamp": 1]))
  }

  func rate(_ name: String?) {
    journal.post(.rated(5, by: name))
    let entry = Entry.rated(4, by: "me")
    journal.post(entry)
  }

  func stop() {
    journal.post(Error(code: 3))
    Entry.last = Entry("really_last")
    journal.post(.last)
    journal.post(Entry.quit)
  }
}
