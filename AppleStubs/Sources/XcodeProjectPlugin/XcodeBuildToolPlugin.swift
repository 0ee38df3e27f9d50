public import Foundation
public import PackagePlugin

// Xcode brings this module; https://developer.apple.com/documentation/xcode describes no declaration of it. These are
// those that SwiftPM's template of a build tool plugin uses:
// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Workspace/InitPackage.swift
// and the URL forms that PackagePlugin 6.0 has for the paths of a `PluginContext`.

public protocol XcodeBuildToolPlugin: Plugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public let pluginWorkDirectoryURL: URL

  public func tool(named name: String) throws -> PluginContext.Tool {
    throw PluginContextError.toolNotFound(name: name)
  }
}

public struct XcodeProject {
  public let displayName: String
  public let directoryURL: URL
}

public struct XcodeTarget {
  public let displayName: String
  public let inputFiles: FileList
}
