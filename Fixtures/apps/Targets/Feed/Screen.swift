/// The stories.
public struct Feed {
  let mailer = Mailer()

  public init() {}

  public func open() {
    mailer.send(.opened)
    mailer.send(Event.liked(story: 3))
  }
}
