import EventKit

EventClient.shared.submit(Event(name: "app_start", parameters: nil))

let reader = Reader("sea")
reader.open(from: nil)
reader.turn(to: 2)
reader.highlight("wave")
reader.highlight("wave", color: "blue")
reader.note(nil)
reader.note("nice")
reader.look(up: "tide")
reader.look(up: "tide", options: ["exact": true])
reader.finish(rating: nil)
reader.finish(rating: 5)
reader.close()

var shelf = Shelf(name: "new")
shelf.add("sea")
shelf.show()
shelf.sort(descending: true)
shelf.sort(descending: false)
shelf.filter(["author": "kim"])
shelf.clear()

let home = HomeScreen()
home.appear()
home.tap("start")
home.resize(to: 300, nil)

EventClient.shared.submit(Event(name: "app_end", extra: ["clean": true]))
