/// Reading events. Each is a type that sends itself.
struct ReadingStarted {
  let article: Article

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "reading.start", parameters: [["article_id": article.id, "words": String(article.words)]])
  }
}

struct ReadingPaused {
  let article: Article
  let share: Double

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "reading.pause", parameters: [["article_id": article.id, "depth": share]])
  }
}

struct ReadingFinished {
  let article: Article
  let seconds: Double

  func send(to logger: any EventLogger) {
    var parameters: [String: Any] = ["article_id": article.id, "sec": seconds]
    if article.isPremium { parameters["premium"] = "1" }
    logger.logEvents(name: "reading.done", parameters: [parameters])
  }
}

struct HighlightMade {
  enum Colour: String {
    case yellow, green
  }

  let colour: Colour
  let characters: Int

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "highlight.add", parameters: [["colour": colour.rawValue, "chars": characters]])
  }
}

struct NoteWritten {
  let characters: Int

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "note.add", parameters: [["chars": characters]])
  }
}

struct WordLookedUp {
  let language: String

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "word.look_up", parameters: [["lang": language, "src": "article"]])
  }
}

struct StreakReached {
  let days: Int

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "streak.reach", parameters: [["days": String(days), "medal": days >= 30]])
  }
}

struct GoalSet {
  let minutes: Int

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "goal.set", parameters: [["goal": ["minutes": minutes, "unit": "day"]]])
  }
}

struct SurveyAnswered {
  let answers: [Int]

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "survey.answer", parameters: answers.map { ["answer": $0] })
  }
}

struct PuzzleSolved {
  let seconds: Double
  let hints: Int

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "puzzle.solve", parameters: [["sec": seconds, "hints": hints, "schema": 1]])
  }
}
