import Foundation
import Testing

/// Apple's list of required reason APIs, and the reasons that each may have.
private struct RequiredReason: Sendable {
  let category: String
  let functions: [String]
  let names: [String]
  let reasons: Set<String>

  static let all = [
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryFileTimestamp",
      functions: [
        "getattrlist", "getattrlistbulk", "fgetattrlist", "stat", "fstat", "fstatat", "lstat", "getattrlistat",
      ],
      names: [
        "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey", "creationDateKey",
      ],
      reasons: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategorySystemBootTime", functions: ["mach_absolute_time"],
      names: ["systemUptime"], reasons: ["35F9.1", "8FFB.1", "3D61.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryDiskSpace", functions: ["statfs", "statvfs", "fstatfs", "fstatvfs"],
      names: [
        "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey", "volumeAvailableCapacity",
        "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey", "volumeTotalCapacity",
        "systemFreeSize", "systemSize",
      ], reasons: ["85F4.1", "E174.1", "7D9E.1", "B728.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryActiveKeyboards", functions: [], names: ["activeInputModes"],
      reasons: ["3EC4.1", "54BD.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryUserDefaults", functions: [], names: ["UserDefaults", "AppStorage"],
      reasons: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]),
  ]

  func isUsed(in code: String) -> Bool {
    let pattern = (functions.map { $0 + #"\("# } + names.map { $0 + #"\b"# }).joined(separator: "|")
    return code.range(of: #"\b(?:\#(pattern))"#, options: .regularExpression) != nil
  }
}

@Suite("The privacy manifest of a target", .timeLimit(.minutes(5)))
struct PrivacyManifestTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let targets: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Sources").path)
    return (names ?? []).filter { $0.hasPrefix("DualSend") }.sorted()
  }()

  private func files(_ target: String) throws -> [URL] {
    let folder = Self.root.appendingPathComponent("Sources").appendingPathComponent(target)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map(folder.appendingPathComponent)
  }

  /// A target's code without its comments.
  private func code(_ target: String) throws -> String {
    try files(target).filter { $0.pathExtension == "swift" }.map { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func manifests(_ target: String) throws -> [[String: Any]] {
    try files(target).filter { $0.lastPathComponent == "PrivacyInfo.xcprivacy" }.map { file in
      let plist = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
      return try #require(plist as? [String: Any])
    }
  }

  private func reasons(_ target: String) throws -> [String: Set<String>] {
    let types = try manifests(target).flatMap { $0["NSPrivacyAccessedAPITypes"] as? [[String: Any]] ?? [] }
    let pairs = try types.map { type in
      (
        try #require(type["NSPrivacyAccessedAPIType"] as? String),
        Set(try #require(type["NSPrivacyAccessedAPITypeReasons"] as? [String]))
      )
    }
    return Dictionary(pairs, uniquingKeysWith: { $0.union($1) })
  }

  @Test("names each API that needs a reason and that the target's code uses, and no other", arguments: targets)
  func categories(target: String) throws {
    let code = try code(target)
    let used = RequiredReason.all.filter { $0.isUsed(in: code) }.map(\.category)
    #expect(Set(try reasons(target).keys) == Set(used))
  }

  @Test("gives reasons that Apple knows for the API", arguments: targets)
  func knownReasons(target: String) throws {
    for (category, reasons) in try reasons(target) {
      let known = try #require(RequiredReason.all.first { $0.category == category }).reasons
      #expect(!reasons.isEmpty && reasons.isSubset(of: known))
    }
  }

  @Test("is there once, and is a resource of the target", arguments: targets)
  func isResource(target: String) throws {
    let files = try files(target).filter { $0.lastPathComponent == "PrivacyInfo.xcprivacy" }
    #expect(files.count <= 1)
    guard let file = files.first else { return }
    let manifest = try String(contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let folder = file.deletingLastPathComponent().lastPathComponent
    // A module's name, then its dependencies.
    let entry = try #require(manifest.components(separatedBy: "\"\(target)\", \"").dropFirst().first)
    #expect(entry.components(separatedBy: "module(")[0].contains(".copy(\"\(folder)/PrivacyInfo.xcprivacy\")"))
  }

  @Test("says that nothing is tracked", arguments: targets)
  func noTracking(target: String) throws {
    for manifest in try manifests(target) {
      #expect(manifest["NSPrivacyTracking"] as? Bool == false)
      #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
    }
  }

  @Test("of the health metrics names the data that they are")
  func healthData() throws {
    let types = try manifests("DualSendMetricKit").flatMap {
      $0["NSPrivacyCollectedDataTypes"] as? [[String: Any]] ?? []
    }
    let names = types.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
    #expect(
      names == ["CrashData", "PerformanceData", "OtherDiagnosticData"].map { "NSPrivacyCollectedDataType" + $0 })
  }
}
