import Foundation

/// What the whole app shares. The logger is made here and nowhere else.
struct AppServices {
  let logger: any EventLogger

  init(folder: URL) throws {
    logger = try JSONLinesLogger(folder.appendingPathComponent("old.jsonl"))
  }
}
