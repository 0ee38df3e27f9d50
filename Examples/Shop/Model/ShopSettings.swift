import Foundation

/// Where the shop finds its files and servers; in an app, constants and the bundle.
public struct ShopSettings: Sendable {
  /// What outlives the process.
  public let folder: URL
  /// `remapping.json` and what else the app ships with.
  public let documents: URL
  public let collector: URL
  public let rollout: URL
  /// How often the shop asks for the rollout.
  public let rolloutInterval: Duration
  /// Says which version of the shop this is.
  public let bundle: Bundle

  public init(
    folder: URL, documents: URL, collector: URL, rollout: URL, rolloutInterval: Duration, bundle: Bundle = .main
  ) {
    self.folder = folder
    self.documents = documents
    self.collector = collector
    self.rollout = rollout
    self.rolloutInterval = rolloutInterval
    self.bundle = bundle
  }

  public var oldLog: URL { folder.appendingPathComponent("old.jsonl") }
  public var database: URL { folder.appendingPathComponent("events.sqlite") }
}
