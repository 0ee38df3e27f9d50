import Feed

/// Sends the events of the store.
struct Courier {
  func send(_ event: Event) { Output.write(name: event.title, parameters: event.fields) }
}
