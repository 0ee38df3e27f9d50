/// The number of requests since the tracker was created.
struct RequestCounts {
  /// Requests sent.
  private(set) var requests = 0
  /// Failed requests that were, or will be, sent again.
  private(set) var retries = 0

  mutating func sent() { requests += 1 }

  mutating func failed() { retries += 1 }
}
