import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments.first == "--role" {
    switch arguments.dropFirst().first.flatMap({ Role(rawValue: $0) }) {
    case .collector: try await CollectorProcess.serve()
    case .drain where arguments.count == 4:
      guard let endpoint = URL(string: arguments[3]) else { exit(64) }
      try await DrainRole.drain(URL(fileURLWithPath: arguments[2]), to: endpoint)
    case .backlog where arguments.count == 3: try BacklogRole.work(on: URL(fileURLWithPath: arguments[2]))
    case .battery: try await BatteryRole.log(Array(arguments.dropFirst(2)))
    case .launch where arguments.count == 4:
      try await LaunchRole.launch(URL(fileURLWithPath: arguments[2]), rest: UInt32(arguments[3]) ?? 0)
    case .rest where arguments.count == 3: try await LaunchRole.rest(UInt32(arguments[2]) ?? 0)
    default: exit(64)
    }
  } else if let command = Command(arguments) {
    exit(try await command.run() ? 0 : 1)
  } else {
    FileHandle.standardError.write(Data((Command.usage + "\n").utf8))
    exit(64)
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(2)
}
