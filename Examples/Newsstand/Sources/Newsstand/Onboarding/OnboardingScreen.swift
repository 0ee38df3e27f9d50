/// The first launch.
final class OnboardingScreen {
  private let logger: any EventLogger
  private var step = 0

  init(logger: any EventLogger) {
    self.logger = logger
  }

  func begin() {
    logger.logEvents(name: "onboarding.begin", parameters: [["variant": "b", "steps": 4]])
  }

  func next() {
    step += 1
    logger.logEvents(name: "onboarding.step.view", parameters: [["step": String(step)]])
  }

  func back() {
    step -= 1
    logger.logEvents(name: "onboarding.step.back", parameters: [["step": String(step)]])
  }

  func choose(_ topics: [String]) {
    for topic in topics {
      logger.logEvents(name: "onboarding.topic.choose", parameters: [["topic": topic]])
    }
    logger.logEvents(
      name: "onboarding.topics.done", parameters: [["topics": topics, "n": topics.count]])
  }

  func askForPush() {
    logger.logEvents(name: "onboarding.push.ask", parameters: [[:]])
  }

  func answerPush(allowed: Bool) {
    logger.logEvents(
      name: "onboarding.push.answer",
      parameters: [["allowed": allowed, "prompt": ["place": "onboarding", "number": 1]]])
  }

  func signIn(with provider: String) {
    logger.logEvents(name: "onboarding.sign_in", parameters: [["provider": provider]])
  }

  func skip() {
    logger.logEvents(name: "onboarding.skip", parameters: [["step": String(step), "debug": "skip"]])
  }

  func finish(after seconds: Double) {
    logger.logEvents(name: "onboarding.finish", parameters: [["sec": seconds]])
  }
}
