/// Sends the events of the feed.
struct Mailer {
  func send(_ event: Event) { Output.write(name: event.name, parameters: event.fields) }
}
