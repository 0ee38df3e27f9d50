import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

@Suite("What a request may hold", .timeLimit(.minutes(5)))
struct RequestTests {
  @Test("bodies up to the limit, by length and in chunks, and the connection goes on")
  func tooLarge() async throws {
    try await ConsoleBench.with { configuration in
      configuration.maximumBatchBytes = 200_000
      configuration.maximumRequestBytes = 100_000
    } _: { bench async throws in
      let long = ["text": EventValue.string(String(repeating: "a", count: 150_000))]
      #expect(try await bench.post("api/echo", long).status == 413)
      #expect(try await bench.send("POST", "events", body: Array(repeating: 32, count: 300_000)).status == 413)
      #expect(try await bench.post("api/echo", ["a": 1]).status == 200)
    }
  }

  @Test("a compressed batch up to the limit once it is unpacked")
  func bomb() async throws {
    try await ConsoleBench.with { configuration in
      configuration.maximumBatchBytes = 100_000
    } _: { bench async throws in
      let packed = try #require(Zlib.compress(Array(repeating: UInt8(ascii: " "), count: 10_000_000), as: .gzip))
      let answer = try await bench.send("POST", "events", headers: ["Content-Encoding": "gzip"], body: packed)
      #expect(answer.status == 413)
      let small = try #require(Zlib.compress(EventValue.array([wireElement(newEvent(1))]).canonicalJSON, as: .gzip))
      let taken = try await bench.send("POST", "events", headers: ["Content-Encoding": "gzip"], body: small)
      #expect(taken.json == ["accepted": 1])
    }
  }

  @Test(
    "JSON and nothing like it", arguments: ["", "{", "[]", "{\"a\":1,\"a\":2}", "null", "{\"a\":NaN}"])
  func malformed(_ body: String) async throws {
    try await ConsoleBench.with { bench async throws in
      let headers = ["Content-Type": "application/json; charset=utf-8", "Origin": bench.origin]
      let answer = try await bench.send("POST", "api/echo", headers: headers, body: Array(body.utf8))
      #expect(answer.status == 400)
      #expect(answer.json?["error"]?["message"] != nil)
    }
  }

  @Test("the content type of JSON")
  func contentType() async throws {
    try await ConsoleBench.with { bench async throws in
      for type in ["text/plain", "application/x-www-form-urlencoded"] {
        let headers = ["Content-Type": type, "Origin": bench.origin]
        #expect(try await bench.send("POST", "api/echo", headers: headers, body: Array("{}".utf8)).status == 415)
      }
    }
  }

  @Test("methods that the address is for")
  func methods() async throws {
    try await ConsoleBench.with { bench async throws in
      let headers = ["Origin": bench.origin]
      #expect(try await bench.send("PUT", "api/echo", headers: headers).status == 405)
      #expect(try await bench.send("DELETE", "rollout.json").status == 405)
      #expect(try await bench.get("api/nothing").status == 404)
      let failure = try await bench.get("api/fail")
      #expect(failure.status == 409)
      #expect(failure.json == ["error": ["message": "no", "help": "yes"], "needs": ["evictions"]])
    }
  }

  @Test("batches with events that are none, of which the others are kept")
  func malformedEvents() async throws {
    try await ConsoleBench.with { bench async throws in
      let body: EventValue = [wireElement(newEvent(1)), ["eventId": "x"], 7]
      let answer = try await bench.send("POST", "events", body: body.canonicalJSON)
      #expect(
        answer.json == ["accepted": 1, "malformed": 2, "faults": ["[1] is not an event", "[2] is not an event"]])
      let mirrored: EventValue = [
        "pairs": [
          [
            "id": .string(eventID(2).description), "time": 1, "unit": nil, "old": ["name": "a", "parameters": [:]],
            "new": nil,
          ],
          ["id": "x"], 3, ["id": .string(eventID(3).description), "old": nil, "new": nil],
        ]
      ]
      let answerToMirror = try await bench.send("POST", "mirror", body: mirrored.canonicalJSON)
      let faults = ["pairs[1].id", "pairs[2]", "pairs[3].new"].map { place -> EventValue in
        .string("\(place) is missing or malformed")
      }
      #expect(answerToMirror.json == ["accepted": 1, "malformed": 3, "faults": .array(faults)])
      let sources = try await bench.get("api/state").json?["sources"]
      #expect(
        sources == [
          [
            "kind": "collector", "events": 1, "duplicates": 0, "malformed": 2, "firstMalformed": "[1] is not an event",
          ],
          [
            "kind": "mirror", "events": 1, "duplicates": 0, "malformed": 3,
            "firstMalformed": "pairs[1].id is missing or malformed",
          ],
        ])
    }
  }

  @Test(
    "a batch that is refused: where, why, and on the page too",
    arguments: [
      ("[\n{\"a\": 1e400}]", "line 2, column 7"), ("[{\"a\": 1,\n \"a\": 2}]", "line 2, column 2"),
      ("[\"\\ud800\"]", "line 1, column 3"),
    ])
  func refused(_ body: String, place: String) async throws {
    try await ConsoleBench.with { bench async throws in
      for path in ["events", "mirror"] {
        let answer = try await bench.send("POST", path, body: Array(body.utf8))
        #expect(answer.status == 400)
        guard case .string(let message)? = answer.json?["error"]?["message"] else {
          Issue.record("no message")
          return
        }
        #expect(message.hasPrefix(place), "\(message)")
        guard case .array(let sources)? = try await bench.get("api/state").json?["sources"] else { return }
        #expect(sources.last?["lastRefusal"] == .string(message))
      }
    }
  }

  @Test("the live document's tag and signature")
  func rollout() async throws {
    try await ConsoleBench.with { bench async throws in
      #expect(try await bench.get("rollout.json").status == 404)
      #expect(try await bench.get("rollout.json.sig").status == 404)
    }
    try await ConsoleBench.with(hasDocument: true) { bench async throws in
      #expect(try await bench.get("rollout.json.sig").status == 404)
      try Data("c2ln\n".utf8).write(to: bench.document.appendingPathExtension("sig"))
      let answer = try await bench.get("rollout.json")
      #expect(answer.body == Array(ConsoleBench.emptyRollout.utf8))
      #expect(answer.header("X-Rollout-Signature") == "c2ln")
      let tag = try #require(answer.header("ETag"))
      #expect(try await bench.get("rollout.json", headers: ["If-None-Match": tag]).status == 304)
      #expect(try await bench.get("rollout.json.sig").body == Array("c2ln\n".utf8))
    }
  }
}
