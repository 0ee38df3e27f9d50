import Foundation

/// The app's shared objects. Only this type creates the logger.
struct AppServices {
  let logger: any EventLogger

  init(folder: URL) throws {
    logger = try JSONLinesLogger(folder.appendingPathComponent("old.jsonl"))
  }
}
