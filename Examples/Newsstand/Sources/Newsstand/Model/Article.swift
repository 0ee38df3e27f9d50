/// An article.
struct Article {
  let id: Int
  let title: String
  let section: String
  let author: String
  let words: Int
  let isPremium: Bool
  let tags: [String]
}

/// A comment on an article.
struct Comment {
  let id: Int
  let articleID: Int
  let text: String
  let likes: Int
}

/// Sample content for readers who are not signed in.
enum SampleIssue {
  static let articles = [
    Article(
      id: 101, title: "A bridge of rope", section: "travel", author: "desk", words: 1_240, isPremium: false,
      tags: ["mountains", "bridges"]),
    Article(
      id: 102, title: "Bread without an oven", section: "food", author: "kitchen", words: 860, isPremium: true,
      tags: ["bread"]),
    Article(
      id: 103, title: "The night train", section: "travel", author: "desk", words: 2_310, isPremium: true, tags: []),
  ]

  static let comments = [
    Comment(id: 9_001, articleID: 101, text: "I was there in spring.", likes: 12),
    Comment(id: 9_002, articleID: 101, text: "Which valley is it?", likes: 0),
  ]
}
