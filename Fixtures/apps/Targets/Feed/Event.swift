/// What happens in the feed.
enum Event {
  case opened
  case liked(story: Int)

  var name: String {
    switch self {
    case .opened: "feed_opened"
    case .liked: "feed_liked"
    }
  }

  var fields: [String: Any] {
    switch self {
    case .opened: [:]
    case .liked(let story): ["story": story]
    }
  }
}
