import DualSend
import Foundation
import ShopLogging
import ShopModel
import ShopScreens

/// The last release before the rollout document is deleted: without one, every event goes to the new tracker.
public struct ShopApp {
  public let screens: Screens
  public let logger: DualSendTracker

  public init(_ settings: ShopSettings, transport: any HTTPTransport) throws {
    let oldLogger = try JSONLinesLogger(appendingTo: settings.oldLog)
    let table = try Data(contentsOf: settings.documents.appendingPathComponent("remapping.json"))
    logger = DualSendTracker(
      oldLogger: oldLogger,
      collector: settings.collector,
      rollout: settings.rollout,
      remapping: try RemappingTable(reading: table, name: "remapping.json")
    ) { configuration in
      configuration.oldLoggerEventIDKey = "dual_id"
      configuration.inAppDefault = .newTrackerOnly
      configuration.tracker.storage = .file(settings.database)
      // A new name for the rollout: a document that an earlier release stored would take precedence over the default.
      configuration.storage = { name in
        .file(settings.folder.appendingPathComponent(name.hasPrefix("rollout") ? "2-" + name : name))
      }
      configuration.transport = transport
      configuration.context = .app(settings.bundle)
      configuration.fetcher.minimumInterval = settings.rolloutInterval
      configuration.pollingInterval = settings.rolloutInterval
    }
    screens = Screens(logger: logger)
  }
}

extension JSONLinesLogger: OldLogger {}
extension DualSendTracker: EventLogger {}
