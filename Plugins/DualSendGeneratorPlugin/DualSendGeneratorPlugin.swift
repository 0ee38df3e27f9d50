import Foundation
import PackagePlugin

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin
#endif

/// Generates the events of a target before compilation. Reads from the target's folder: Markdown files in `Events`, or
/// `events.json`; and, if it exists, the settings in `event-generator.json`.
@main
struct DualSendGeneratorPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    commands(
      for: target.name, in: target.directoryURL, generator: try context.tool(named: "DualSendGenerator").url,
      output: context.pluginWorkDirectoryURL)
  }

  private func commands(for target: String, in folder: URL, generator: URL, output: URL) -> [Command] {
    let (events, json) = (folder.appending(path: "Events"), folder.appending(path: "events.json"))
    let markdown = markdownFiles(in: events)
    guard markdown.isEmpty != !exists(json) else {
      Diagnostics.error(
        markdown.isEmpty
          ? "\(target): there is neither a Markdown file in Events nor events.json in \(folder.path); add one of them"
          : "\(target): there are Markdown files in Events and events.json: keep one of the two")
      return []
    }
    let specification = markdown.isEmpty ? json : events
    let source = output.appending(path: "GeneratedEvents.swift")
    var arguments = ["--spec", specification.path, "--output", source.path]
    var inputs = markdown.isEmpty ? [json] : markdown
    let settings = folder.appending(path: "event-generator.json")
    if exists(settings) {
      arguments += ["--settings", settings.path]
      inputs.append(settings)
    }
    return [
      .buildCommand(
        displayName: "Generate the events of \(target)", executable: generator, arguments: arguments,
        inputFiles: inputs, outputFiles: [source])
    ]
  }

  private func exists(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.path)
  }

  /// The Markdown files in a folder, like `EventSpecification.markdownFiles(in:)`, which a plugin cannot import.
  private func markdownFiles(in folder: URL) -> [URL] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.sorted().map { folder.appending(path: $0) }.filter { file in
      let name = file.lastPathComponent
      return name.hasSuffix(".md") && name != "README.md" && !name.hasPrefix(".")
    }
  }
}

#if canImport(XcodeProjectPlugin)
  extension DualSendGeneratorPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      commands(
        for: target.displayName, in: folder(of: target, in: context.xcodeProject.directoryURL),
        generator: try context.tool(named: "DualSendGenerator").url, output: context.pluginWorkDirectoryURL)
    }

    /// An Xcode target has no folder. Returns the folder of its specification if the target's input files name it, otherwise
    /// the folder next to the project with the target's name. A buildable folder (Xcode 16) records no files in the project,
    /// so the input files may be missing.
    private func folder(of target: XcodeTarget, in project: URL) -> URL {
      for file in target.inputFiles.map(\.url) {
        let folder = file.deletingLastPathComponent()
        if file.lastPathComponent == "events.json" { return folder }
        if folder.lastPathComponent == "Events", file.pathExtension == "md" {
          return folder.deletingLastPathComponent()
        }
      }
      return project.appending(path: target.displayName)
    }
  }
#endif
