import Dispatch
import DualSendCore
import Testing

@Suite("A multicast", .timeLimit(.minutes(10)))
struct MulticastTests {
  private static func values(_ stream: AsyncStream<Int>?) async -> [Int] {
    var values: [Int] = []
    guard let stream else { return values }
    for await value in stream { values.append(value) }
    return values
  }

  @Test("hands every later value to every stream, in order, and ends them when it is released")
  func everybody() async {
    var multicast: Multicast<Int>? = Multicast(bufferSize: 10)
    multicast?.send(0)
    let first = multicast?.stream()
    multicast?.send(1)
    let second = multicast?.stream()
    multicast?.send(2)
    multicast = nil
    #expect(await Self.values(first) == [1, 2])
    #expect(await Self.values(second) == [2])
  }

  @Test("of something that always has a value begins each stream with the current one")
  func current() async {
    var multicast: Multicast<Int>? = Multicast(current: 1, bufferSize: 10)
    let first = multicast?.stream()
    multicast?.send(2)
    let second = multicast?.stream()
    multicast?.send(3)
    multicast = nil
    #expect(await Self.values(first) == [1, 2, 3])
    #expect(await Self.values(second) == [2, 3])
  }

  @Test("takes the oldest values from a reader who falls behind")
  func slow() async {
    var multicast: Multicast<Int>? = Multicast(current: 0)
    let stream = multicast?.stream()
    for value in 1...5 { multicast?.send(value) }
    multicast = nil
    #expect(await Self.values(stream) == [5])
  }

  @Test("forgets a stream that nobody reads any more")
  func forgotten() {
    let multicast = Multicast<Int>(bufferSize: 1)
    #expect(!multicast.hasListeners)
    var stream: AsyncStream<Int>? = multicast.stream()
    #expect(multicast.hasListeners && stream != nil)
    stream = nil
    #expect(!multicast.hasListeners)
  }

  @Test("never begins a stream with a value that is newer than the one after it")
  func order() async {
    var multicast: Multicast<Int>? = Multicast(current: 0, bufferSize: 10_000)
    let streams = Locked<[AsyncStream<Int>]>([])
    DispatchQueue.concurrentPerform(iterations: 3) { [multicast] thread in
      for value in 1...1000 {
        if thread == 0 {
          multicast?.send(value)
        } else if value.isMultiple(of: 10), let stream = multicast?.stream() {
          streams.withLock { $0.append(stream) }
        }
      }
    }
    multicast = nil
    for stream in streams.current {
      let values = await Self.values(stream)
      #expect(values == Array((values.first ?? 0)...1000))
    }
  }
}
