import DualSendCore
import Foundation
import Testing

@Suite("The folder of an app", .timeLimit(.minutes(5)))
struct AppFolderTests {
  @Test("is named by the bundle identifier, else by the executable, and leads nowhere else")
  func name() {
    #expect(AppFolder.name(bundleIdentifier: "org.example.shop", executable: "Shop") == "org.example.shop")
    #expect(AppFolder.name(bundleIdentifier: nil, executable: "shop-cli") == "shop-cli")
    #expect(AppFolder.name(bundleIdentifier: "", executable: "shop") == "shop")
    #expect(AppFolder.name(bundleIdentifier: "../../etc", executable: "") == ".._.._etc")
    #expect(AppFolder.name(bundleIdentifier: "..", executable: "") == "app")
    #expect(AppFolder.name(bundleIdentifier: nil, executable: "") == "app")
    #expect(AppFolder.name(bundleIdentifier: "カフェ", executable: "") == "___")
  }

  @Test("is in the place of all apps, under the name of this one")
  func place() {
    let parts = AppFolder.url.pathComponents.suffix(2)
    #expect(parts.first == "DualSend")
    #expect(parts.last?.isEmpty == false)
  }
}
