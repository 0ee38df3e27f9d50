import CLibFuzzer
import Foundation

// The first argument names the target; the others are libFuzzer's own.
guard let name = CommandLine.arguments.dropFirst().first, let target = FuzzTarget.named(name) else {
  print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
  exit(CommandLine.arguments.count > 1 ? 64 : 0)
}
target.run(arguments: [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2))
