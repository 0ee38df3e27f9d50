/// The events of the article list.
enum FeedEvent: AppEvent {
  case shown(section: String)
  case refreshed(count: Int)
  case cardTapped(id: Int, position: Int)
  case cardHidden(id: Int)
  case liked(id: Int, isLiked: Bool)
  case saved(id: Int)
  case endReached
  case adTapped(campaign: String)
  case moduleShown(title: String, items: Int)
  case failed(code: Int)

  var name: String {
    switch self {
    case .shown: "feed.view"
    case .refreshed: "feed.refresh"
    case .cardTapped: "feed.card.tap"
    case .cardHidden: "feed.card.hide"
    case .liked: "feed.like.tap"
    case .saved: "feed.save.tap"
    case .endReached: "feed.end"
    case .adTapped: "feed.ad.tap"
    case .moduleShown: "feed.module.view"
    case .failed: "feed.error"
    }
  }

  var parameters: [String: Any] {
    switch self {
    case .shown(let section): ["section": section]
    case .refreshed(let count): ["n": count]
    case .cardTapped(let id, let position): ["article_id": id, "pos": String(position)]
    case .cardHidden(let id), .saved(let id): ["article_id": id]
    case .liked(let id, let isLiked): ["article_id": id, "liked": isLiked ? "1" : "0"]
    case .endReached: [:]
    case .adTapped(let campaign): ["campaign": campaign, "debug": "ad"]
    case .moduleShown(let title, let items): ["module": ["title": title, "items": items]]
    case .failed(let code): ["err": String(code)]
    }
  }
}
