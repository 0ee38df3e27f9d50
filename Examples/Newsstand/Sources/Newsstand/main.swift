import Foundation

// `newsstand OUT_FOLDER`: one fixed visit that reaches every call site.
guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: newsstand OUT_FOLDER\n".utf8))
  exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

let services = try AppServices(folder: folder)
Visit(logger: services.logger).run()
exit(await Telemetry.finish() ? 0 : 1)
