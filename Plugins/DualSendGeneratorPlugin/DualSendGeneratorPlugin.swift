import Foundation
import PackagePlugin

/// Writes the events of a target before it is compiled, from what lies in its folder: `Events` with one Markdown file an
/// event or `events.json`; beside it, if they are there, `remapping.json` and the settings in `event-generator.json`.
@main
struct DualSendGeneratorPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL
    let (events, json) = (folder.appending(path: "Events"), folder.appending(path: "events.json"))
    let markdown = markdownFiles(in: events)
    guard markdown.isEmpty != !exists(json) else {
      Diagnostics.error(
        markdown.isEmpty
          ? "\(target.name): there is neither a Markdown file in Events nor events.json in \(folder.path)"
          : "\(target.name): there are Markdown files in Events and events.json: keep one of the two")
      return []
    }
    let specification = markdown.isEmpty ? json : events
    let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedEvents.swift")
    var arguments = ["--spec", specification.path, "--output", output.path]
    var inputs = markdown.isEmpty ? [json] : markdown
    for (option, name) in [("--remap", "remapping.json"), ("--settings", "event-generator.json")] {
      let file = folder.appending(path: name)
      guard exists(file) else { continue }
      arguments += [option, file.path]
      inputs.append(file)
    }
    return [
      .buildCommand(
        displayName: "Generate the events of \(target.name)",
        executable: try context.tool(named: "DualSendGenerator").url, arguments: arguments, inputFiles: inputs,
        outputFiles: [output])
    ]
  }

  private func exists(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.path)
  }

  /// The files that the generator reads in a folder; the rule is that of `EventSpecification.markdownFiles(in:)`, which a
  /// plugin cannot import.
  private func markdownFiles(in folder: URL) -> [URL] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.sorted().map { folder.appending(path: $0) }.filter { file in
      let name = file.lastPathComponent
      return name.hasSuffix(".md") && name != "README.md" && !name.hasPrefix(".")
    }
  }
}
