extension Event {
  var fields: [String: Any] {
    switch self {
    case .opened: ["aisle": 1]
    case .paid: ["total": 9, "card": true]
    }
  }
}
