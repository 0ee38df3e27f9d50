/// The stories.
public struct Feed {
  let mailer = Mailer()

  /// Makes the feed.
  public init() {}

  /// Shows the stories.
  public func open() {
    mailer.send(.opened)
    mailer.send(Event.liked(story: 3))
  }
}
