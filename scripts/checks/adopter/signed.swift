// A server on Linux that obeys signed rollouts only: the trait `SwiftCrypto` and the product DualSendSignatures.

import DualSend
import DualSendSignatures
import Foundation

// The first example of RFC 8032, section 7.1.
let keyText = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
let document = Array(#"{"formatVersion": 1, "revision": 1, "salt": "s", "shouldSendLogToNewTracker": 5}"#.utf8)
guard let key = RolloutPublicKey(base64: keyText) else { fatalError("the key is not read") }

func refusal(_ verifier: RolloutSignatureVerifier?) -> String {
  let options = RemoteConfigFetcher.Options(url: nil, publicKeys: [key], verifier: verifier)
  let fetcher = RemoteConfigFetcher(options, storage: .memory())
  let signature = Data(repeating: 1, count: 64).base64EncodedString()
  return "\(fetcher.offer(document, signature: signature))"
}

// With a verifier, a wrong signature is the reason; without one, the message names the trait.
let (wrong, impossible) = (refusal(.ed25519), refusal(nil))
guard wrong.contains("wronglySigned"), impossible.contains("noVerifier"),
  RemoteConfigFetcher.Failure.noVerifier.description.contains("SwiftCrypto")
else { fatalError("\(wrong), \(impossible)") }
print("signed rollouts: a wrong signature is refused, and so is every document without a verifier")
