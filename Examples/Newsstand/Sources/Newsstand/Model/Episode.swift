/// An audio episode.
struct Episode {
  let id: Int
  let title: String
  let seconds: Double
  let isDownloaded: Bool
}

/// A subscription plan.
struct Plan {
  let id: String
  let cents: Int
  let months: Int
  let hasTrial: Bool
}

extension SampleIssue {
  static let episodes = [
    Episode(id: 501, title: "Morning news", seconds: 612.5, isDownloaded: true),
    Episode(id: 502, title: "A long walk", seconds: 2_460, isDownloaded: false),
  ]

  static let plans = [
    Plan(id: "monthly", cents: 799, months: 1, hasTrial: true),
    Plan(id: "yearly", cents: 7_900, months: 12, hasTrial: false),
  ]
}
