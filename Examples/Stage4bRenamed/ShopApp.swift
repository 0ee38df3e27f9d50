import DualSendTracking
import ShopModel

/// The shop with its new tracker, which still has the waiting events of the earlier stages.
public struct ShopApp {
  public let screens: Screens
  public let tracker: Tracker

  public init(_ settings: ShopSettings, transport: any HTTPTransport) {
    tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: settings.collector), storage: .file(settings.database), transport: transport))
    screens = Screens(logger: tracker)
  }
}
