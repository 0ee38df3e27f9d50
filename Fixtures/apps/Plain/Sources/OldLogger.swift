/// The old logger, as teams have it: a name, and a dictionary for each event.
protocol OldLogger {
  func logEvents(name: String, parameters: [[String: Any]])
}

struct ConsoleLogger: OldLogger {
  func logEvents(name: String, parameters: [[String: Any]]) {
    for one in parameters { Output.write(name: name, parameters: one) }
  }
}
