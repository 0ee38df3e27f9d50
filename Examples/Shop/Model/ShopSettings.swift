import Foundation

/// The shop's files and servers; in an app, constants and the bundle.
public struct ShopSettings: Sendable {
  /// The folder for persistent files.
  public let folder: URL
  /// The folder of `remapping.json` and the app's other resources.
  public let documents: URL
  public let collector: URL
  public let rollout: URL
  /// The interval of rollout fetches.
  public let rolloutInterval: Duration
  /// The bundle with the shop's version.
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
