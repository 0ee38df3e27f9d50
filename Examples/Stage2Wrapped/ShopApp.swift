import DualSend
import Foundation
import ShopLogging
import ShopModel
import ShopScreens

/// The shop with its old logger in a `DualSendTracker`, which sends everything to it.
public struct ShopApp {
  public let screens: Screens
  public let tracker: Tracker

  public init(_ settings: ShopSettings, transport: any HTTPTransport) throws {
    let oldLogger = try JSONLinesLogger(appendingTo: settings.oldLog)
    tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: settings.collector), storage: .file(settings.database), transport: transport))
    let table = try Data(contentsOf: settings.documents.appendingPathComponent("remapping.json"))
    let logger = DualSendTracker(
      oldLogger: oldLogger, tracker: tracker, remapping: try RemappingTable(reading: table, name: "remapping.json"),
      rollout: RolloutSnapshot.oldLoggerOnly, unitID: { nil }
    ) { $0.oldLoggerEventIDKey = "dual_id" }
    screens = Screens(logger: logger)
  }
}

extension JSONLinesLogger: OldLogger {}
extension DualSendTracker: EventLogger {}
