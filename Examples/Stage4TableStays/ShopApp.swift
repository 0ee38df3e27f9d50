import DualSend
import Foundation
import ShopLogging
import ShopModel
import ShopScreens

/// The shop without the old logger and the rollout: the table stays, and so does every call site.
public struct ShopApp {
  public let screens: Screens
  public let tracker: Tracker

  public init(_ settings: ShopSettings, transport: any HTTPTransport) throws {
    tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: settings.collector), storage: .file(settings.database), transport: transport))
    let table = try Data(contentsOf: settings.documents.appendingPathComponent("remapping.json"))
    let logger = SinkGroup(
      [.tracker(.newTracker, tracker)], remapping: try RemappingTable(reading: table, name: "remapping.json"))
    screens = Screens(logger: logger)
  }
}

extension SinkGroup: EventLogger {}
