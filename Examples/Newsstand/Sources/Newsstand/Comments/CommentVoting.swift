/// Votes on comments.
struct CommentVoting {
  enum Vote: String {
    case up, down, none
  }

  let logger: any EventLogger
  let comment: Comment

  func vote(_ vote: Vote) {
    let name =
      switch vote {
      case .up: "vote.up"
      case .down: "vote.down"
      case .none: "vote.clear"
      }
    logger.logEvents(name: name, parameters: [["comment_id": comment.id]])
  }

  func change(from old: Vote, to new: Vote) {
    logger.logEvents(name: "vote.change", parameters: [["from": old.rawValue, "to": new.rawValue]])
  }

  func see(_ count: Int) {
    let heat =
      if count > 100 { "hot" } else if count > 10 { "warm" } else { "cold" }
    logger.logEvents(name: "vote.see", parameters: [["heat": heat, "n": count]])
  }

  func fail(_ code: Int) {
    logger.logEvents(name: code == 401 ? "vote.sign_in" : "vote.error", parameters: [["err": String(code)]])
  }

  func flag(isSpam: Bool) {
    logger.logEvents(
      name: "vote.flag", parameters: [["comment_id": comment.id, "reason": isSpam ? "spam" : "abuse"]])
  }

  func pin(_ isPinned: Bool) {
    let parameters: [String: Any] = isPinned ? ["pinned": "1", "by": "editor"] : ["pinned": "0"]
    logger.logEvents(name: "vote.pin", parameters: [parameters])
  }

  func award(_ medal: Int) {
    let name: String
    if medal == 1 {
      name = "vote.award.gold"
    } else {
      name = "vote.award.silver"
    }
    logger.logEvents(name: name, parameters: [["comment_id": comment.id]])
  }

  func list(best: Bool) {
    logger.logEvents(name: "vote.list", parameters: [["order": best ? "best" : "new"]])
  }

  func undo(_ vote: Vote) {
    let value: Int
    switch vote {
    case .up: value = 1
    case .down: value = -1
    case .none: value = 0
    }
    logger.logEvents(name: "vote.undo", parameters: [["value": value]])
  }

  func close() {
    logger.logEvents(name: comment.likes > 0 ? "vote.close" : "vote.close.empty", parameters: [[:]])
  }
}
