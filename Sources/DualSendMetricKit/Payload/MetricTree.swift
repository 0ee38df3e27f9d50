/// Metrics by their place in the JSON.
struct MetricTree: Sendable {
  indirect enum Branch: Sendable {
    case metric(HealthMetric)
    case group(MetricTree)
  }

  private var branches: [String: Branch] = [:]

  static let payload = MetricTree(HealthMetric.ofPayloads)
  static let signpost = MetricTree(HealthMetric.ofSignposts)

  init(_ metrics: [HealthMetric]) {
    for metric in metrics { add(metric, at: metric.place[...]) }
  }

  private mutating func add(_ metric: HealthMetric, at place: ArraySlice<String>) {
    guard let key = place.first else { return }
    guard place.count > 1 else { return branches[key] = .metric(metric) }
    var group = MetricTree([])
    if case .group(let known)? = branches[key] { group = known }
    group.add(metric, at: place.dropFirst())
    branches[key] = .group(group)
  }

  /// What stands under a key; `nil` for one that is not known.
  subscript(key: String) -> Branch? {
    branches[key]
  }
}
