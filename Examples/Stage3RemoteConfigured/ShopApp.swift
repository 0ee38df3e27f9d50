import DualSend
import Foundation
import ShopLogging
import ShopModel
import ShopScreens

/// The shop whose events go where the rollout document says.
public struct ShopApp {
  public let screens: Screens
  public let tracker: Tracker
  public let rollout: RemoteConfigFetcher

  public init(_ settings: ShopSettings, transport: any HTTPTransport) async throws {
    let oldLogger = try JSONLinesLogger(appendingTo: settings.oldLog)
    tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: settings.collector), storage: .file(settings.database), transport: transport))
    let table = try Data(contentsOf: settings.documents.appendingPathComponent("remapping.json"))
    let installationID = InstallationID(storage: .file(settings.folder.appendingPathComponent("installation-id")))
    await installationID.value()
    rollout = RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: settings.rollout, minimumInterval: settings.rolloutInterval),
      storage: .file(settings.folder.appendingPathComponent("rollout-state")),
      transport: transport)
    let logger = DualSendTracker(
      oldLogger: oldLogger,
      tracker: tracker,
      remapping: try RemappingTable(table, name: "remapping.json"),
      rollout: rollout,
      unitID: { installationID.current })
    screens = Screens(logger: logger)
    await rollout.start(every: settings.rolloutInterval)
  }
}

extension JSONLinesLogger: OldLogger {}
extension DualSendTracker: EventLogger {}
