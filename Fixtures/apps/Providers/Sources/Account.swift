/// What services need.
struct Services {
  let tracking: EventTracking
}

/// Signing in and out.
final class Account {
  private let services: Services
  private var name: String?

  init(services: Services) { self.services = services }

  func signIn(_ name: String, by method: Method) {
    self.name = name
    services.tracking.setUser(name)
    services.tracking.log("account_sign_in", parameters: ["method": method.label, "length": name.count])
  }

  func signOut() {
    let tracking = services.tracking
    tracking.log("account_sign_out", parameters: name == nil ? [:] : ["was": "in"])
  }

  func fail(_ error: Method?) {
    services.tracking.log("account_error", parameters: ["method": error?.label ?? "none"])
  }

  func event(_ name: String) {
    services.tracking.log("account_" + name, parameters: ["custom": true])
  }

  enum Method {
    case mail, phone
    var label: String { self == .mail ? "mail" : "phone" }
  }
}
