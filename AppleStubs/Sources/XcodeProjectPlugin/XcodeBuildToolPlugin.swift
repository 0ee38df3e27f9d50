public import Foundation
public import PackagePlugin

// Xcode brings this module; https://developer.apple.com/documentation/xcode describes no declaration of it. These are
// those that SwiftPM's template of a build tool plugin uses:
// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Workspace/InitPackage.swift
// as Xcode 14's interface has them: https://gist.github.com/ikesyo/f152bf8ee60b1c9bff2e757b01a95fa9
// and the URL forms that PackagePlugin 6.0 has for the paths of a `PluginContext`.

public protocol XcodeBuildToolPlugin: Plugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  @available(_PackageDescription, introduced: 6.0)
  public var pluginWorkDirectoryURL: URL { workDirectory }
  private let workDirectory: URL

  public func tool(named name: String) throws -> PluginContext.Tool {
    throw PluginContextError.toolNotFound(name: name)
  }
}

public struct XcodeProject {
  public let displayName: String
  @available(_PackageDescription, introduced: 6.0)
  public var directoryURL: URL { directory }
  private let directory: URL
}

public struct XcodeTarget {
  public let displayName: String
  public let inputFiles: FileList
}
