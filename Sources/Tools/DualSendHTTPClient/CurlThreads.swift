#if os(Linux)
  import Dispatch
  import DualSendCCurl
  import DualSendCore
  import Foundation

  /// Threads that run requests with libcurl, one at a time each.
  ///
  /// A handle with its connections never leaves its thread. A thread that has been idle for ``longestIdle`` closes its
  /// connections and ends.
  final class CurlThreads: Sendable {
    /// The threads of the process.
    static let shared = CurlThreads()

    /// The most threads. Further requests wait for a free one.
    private static let limit = 64
    private static let longestIdle = DispatchTimeInterval.seconds(30)

    private struct State: Sendable {
      var waiting: [CurlExchange] = []
      var threads = 0
      var idle = 0
    }

    private let state = Locked(State())
    private let work = DispatchSemaphore(value: 0)

    private init() {
      curl_global_init(Int(CURL_GLOBAL_ALL))
    }

    /// Starts a request as soon as a thread is free.
    func start(_ exchange: CurlExchange) {
      let needsThread = state.withLock { state -> Bool in
        state.waiting.append(exchange)
        guard state.waiting.count > state.idle, state.threads < Self.limit else { return false }
        state.threads += 1
        return true
      }
      if needsThread { Thread.detachNewThread { [self] in serve() } }
      work.signal()
    }

    private func serve() {
      // OpenSSL may write to a closed connection.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      guard let handle = curl_easy_init() else { return refuseAll() }
      defer { curl_easy_cleanup(handle) }
      while let exchange = next() { exchange.run(on: handle) }
    }

    /// The next request; `nil` if this thread ends.
    private func next() -> CurlExchange? {
      while true {
        let exchange = state.withLock { state -> CurlExchange? in
          guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
          state.idle += 1
          return nil
        }
        if let exchange { return exchange }
        let wait = work.wait(timeout: .now() + Self.longestIdle)
        let ends = state.withLock { state -> Bool in
          state.idle -= 1
          guard wait == .timedOut, state.waiting.isEmpty else { return false }
          state.threads -= 1
          return true
        }
        if ends { return nil }
      }
    }

    /// Fails the waiting requests: there is no memory for a handle.
    private func refuseAll() {
      let waiting = state.withLock { state -> [CurlExchange] in
        defer { state.waiting = [] }
        state.threads -= 1
        return state.waiting
      }
      for exchange in waiting { exchange.end(.failure(.connectionFailed("libcurl has no memory"))) }
    }
  }
#endif
