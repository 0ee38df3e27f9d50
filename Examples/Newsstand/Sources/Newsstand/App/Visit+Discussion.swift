/// Comments and search.
extension Visit {
  func discuss() {
    let screen = CommentsScreen(logger: logger, article: articles[0])
    screen.show(comments)
    screen.loadMore(from: 20)
    screen.like(comments[0])
    screen.reply(to: comments[0])
    screen.report(comments[1], because: "rude")
    screen.hide(comments[1])
    screen.copy(comments[0])
    screen.translate(comments[1], to: "de")
    screen.openAuthor(of: comments[0])
    screen.close()

    let composer = CommentComposer(logger: logger)
    composer.open(for: articles[0])
    composer.type("So was I.")
    composer.format(.italic)
    composer.preview()
    composer.post("So was I.", below: articles[0])
    composer.reject(by: "length")
    composer.edit(comments[0])
    composer.delete(comments[0])
    composer.discard("Never mind")
    vote()
  }

  private func vote() {
    let voting = CommentVoting(logger: logger, comment: comments[0])
    for vote in [CommentVoting.Vote.up, .down, .none] {
      voting.vote(vote)
      voting.undo(vote)
    }
    voting.change(from: .up, to: .down)
    for count in [4, 40, 400] { voting.see(count) }
    for code in [401, 500] { voting.fail(code) }
    for flag in [true, false] {
      voting.flag(isSpam: flag)
      voting.pin(flag)
      voting.list(best: flag)
    }
    for medal in [1, 2] { voting.award(medal) }
    for comment in comments { CommentVoting(logger: logger, comment: comment).close() }
  }

  func searchAround() {
    let search = SearchScreen(logger: logger)
    search.show(from: "tab")
    search.search("night train", hits: 14)
    search.search("nigth train", hits: 0)
    search.open(articles[2], at: 1)
    search.repeatRecent("bread")
    search.clearRecent(count: 6)
    search.speak(language: "en", seconds: 2.75)
    search.accept("night trains", at: 0)
    search.save("night train", notifies: true)
    search.cancel()

    let filters = SearchFilters(logger: logger)
    for active in [0, 2] { filters.show(active: active) }
    filters.pick(section: "travel", author: nil)
    filters.pick(section: nil, author: "desk")
    filters.pickDates(from: 7, to: nil)
    for minutes in [5, 15, 60] { filters.pickLength(atMost: minutes) }
    filters.sort(by: "date", ascending: false)
    filters.apply(hits: 9, milliseconds: 38)
    for isShared in [false, true] { filters.save("Trains", isShared: isShared) }
    filters.delete("Trains", wasUsed: true)
    filters.reset(active: 2)
  }
}
