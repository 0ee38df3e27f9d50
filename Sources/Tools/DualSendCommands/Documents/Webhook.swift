package import ArgumentParser
package import DualSendCommandLine
package import DualSendCore
import Foundation

/// An address that gets messages by POST, as JSON.
package struct Webhook: Sendable {
  private static let timeout = Duration.seconds(30)

  private let address: DocumentAddress
  private let transport: any HTTPTransport

  /// - Returns: `nil` if the text is no http or https address.
  package init?(_ text: String, on terminal: Terminal) {
    guard let address = DocumentAddress(text) else { return nil }
    (self.address, transport) = (address, terminal.transport)
  }

  /// - Throws: ``CommandError`` if the address cannot be reached, or answers with another status than 2xx.
  package func post(_ message: EventValue) async throws {
    let request = HTTPTransportRequest(
      method: "POST", url: address.url,
      headers: address.headers.merging(["Content-Type": "application/json"]) { own, _ in own },
      body: Array(message.canonicalText.utf8), timeout: Self.timeout, maximumResponseBytes: 1 << 16)
    let answer: HTTPTransportResponse
    do { answer = try await transport.send(request) } catch {
      throw CommandError("cannot reach the webhook \(address.name): \(error)")
    }
    guard (200..<300).contains(answer.status) else {
      throw CommandError("the webhook \(address.name) answered with status \(answer.status)")
    }
  }
}

/// `--webhook`, for alarms of parity.
package struct WebhookOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "POST a JSON message to this address when an event is lost, or the gate closes or opens again.",
      valueName: "address"))
  package var webhook: String?

  package init() {}

  package func validate() throws {
    if let webhook, DocumentAddress(webhook) == nil {
      throw ValidationError("--webhook must be an http or https address")
    }
  }

  /// The webhook, if one is given.
  package func webhook(on terminal: Terminal) -> Webhook? { webhook.flatMap { Webhook($0, on: terminal) } }
}
