#if os(Linux)
  import DualSendCCurl
  import DualSendCore
  import Foundation

  /// One request and its response: created by a task, run by one thread of ``CurlThreads``.
  final class CurlExchange: Sendable {
    /// The head of a response.
    struct Head: Sendable {
      var status = 0
      var headers: [String: String] = [:]
    }

    /// Where the response goes.
    enum Receiver: Sendable {
      /// The whole response, once.
      case whole(@Sendable (Result<HTTPTransportResponse, HTTPTransportError>) -> Void)
      /// The head, once, and then the parts of the body.
      case parts(
        head: @Sendable (Result<Head, HTTPTransportError>) -> Void,
        body: AsyncThrowingStream<[UInt8], any Error>.Continuation)
    }

    let request: HTTPTransportRequest
    /// A file of PEM certificates to trust instead of the system's.
    private let trustRoots: String?
    private let receiver: Locked<Receiver?>
    private let cancelled = Locked(false)

    init(_ request: HTTPTransportRequest, trustRoots: String?, receiver: Receiver) {
      self.request = request
      self.trustRoots = trustRoots
      self.receiver = Locked(receiver)
    }

    /// Ends the wait for the response at once; the thread notices within a second.
    func cancel() {
      cancelled.withLock { $0 = true }
      end(.failure(.cancelled))
    }

    /// Hands over the result, unless there was one before.
    func end(_ result: Result<HTTPTransportResponse, HTTPTransportError>) {
      let receiver = receiver.withLock { receiver -> Receiver? in
        defer { receiver = nil }
        return receiver
      }
      switch receiver {
      case nil: break
      case .whole(let finish): finish(result)
      case .parts(let head, let body):
        switch result {
        case .success: body.finish()
        case .failure(let error):
          head(.failure(error))
          body.finish(throwing: error)
        }
      }
    }

    // MARK: - On the thread

    /// Sends the request and hands over the response. Blocks until the end.
    func run(on handle: UnsafeMutableRawPointer) {
      guard !cancelled.current else { return }
      let transfer = Transfer(self)
      let context = Unmanaged.passRetained(transfer)
      defer { context.release() }
      var fields: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(fields) }
      for field in Self.lines(request) { fields = curl_slist_append(fields, field) }
      let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
      defer { message.deallocate() }
      message.pointee = 0

      // Keeps the connections.
      curl_easy_reset(handle)
      set(handle, context.toOpaque())
      dualsend_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
      dualsend_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
      let code = curl_easy_perform(handle)
      // The buffer is gone when the handle is used again.
      dualsend_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil)
      if let failure = transfer.failure(code, message) {
        end(.failure(failure))
      } else {
        do throws(HTTPTransportError) { end(.success(try transfer.response())) } catch { end(.failure(error)) }
      }
    }

    private func set(_ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
      dualsend_curl_set_text(handle, CURLOPT_URL, request.url.absoluteString)
      dualsend_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
      // A proxy of the environment would get requests to this machine.
      dualsend_curl_set_text(handle, CURLOPT_PROXY, "")
      // Timeouts by signals are not safe beside other threads.
      dualsend_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
      dualsend_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
      if let trustRoots { dualsend_curl_set_text(handle, CURLOPT_CAINFO, trustRoots) }
      let connectTimeout = min(CurlTransport.connectTimeout, request.timeout)
      dualsend_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(connectTimeout.inSeconds * 1000)))

      setBody(handle, context)
      dualsend_curl_set_transfer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        Transfer.from(context)?.takeField(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }
      dualsend_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
      dualsend_curl_set_transfer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        Transfer.from(context)?.takePart(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }
      dualsend_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
      dualsend_curl_set_progress(handle) { context, _, _, _, _ in
        Transfer.from(context)?.exchange.cancelled.current == false ? 0 : 1
      }
      dualsend_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
      dualsend_curl_set_long(handle, CURLOPT_NOPROGRESS, 0)
    }

    private func setBody(_ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
      switch (request.method, request.body) {
      case ("GET", nil): break
      case ("HEAD", nil): dualsend_curl_set_long(handle, CURLOPT_NOBODY, 1)
      case (let method, let body):
        dualsend_curl_set_long(handle, CURLOPT_POST, 1)
        dualsend_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
        dualsend_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body?.count ?? 0))
        dualsend_curl_set_transfer(handle, CURLOPT_READFUNCTION) { buffer, size, count, context in
          Transfer.from(context)?.give(UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? 0
        }
        dualsend_curl_set_pointer(handle, CURLOPT_READDATA, context)
        // libcurl sends a body again if a connection that it kept had been closed.
        dualsend_curl_set_seek(handle) { context, offset, origin in
          guard origin == SEEK_SET, let transfer = Transfer.from(context) else { return 1 }
          transfer.sent = Int(offset)
          return 0
        }
        dualsend_curl_set_pointer(handle, CURLOPT_SEEKDATA, context)
      }
    }

    /// The header fields as lines. Removes those that libcurl adds of its own.
    private static func lines(_ request: HTTPTransportRequest) -> [String] {
      let names = Set(request.headers.keys.map { $0.lowercased() })
      let added = ["Content-Type", "Expect", "Accept"].filter { !names.contains($0.lowercased()) }.map { $0 + ":" }
      return added + request.headers.map { $1.isEmpty ? $0 + ";" : "\($0): \($1)" }
    }

    /// Gives the head to the reader of a stream.
    fileprivate func deliver(_ head: Head) {
      guard case .parts(let deliver, _)? = receiver.current else { return }
      deliver(.success(head))
    }

    /// Gives a part of the body to the reader of a stream; `nil` if there is none.
    fileprivate func deliver(_ part: [UInt8]) -> Bool? {
      guard case .parts(_, let body)? = receiver.current else { return nil }
      if case .enqueued = body.yield(part) { return true }
      return false
    }
  }

  /// The state of one request on its thread.
  private final class Transfer {
    let exchange: CurlExchange
    var head = CurlExchange.Head()
    var body: [UInt8] = []
    var isCut = false
    /// How much of the request's body is sent.
    var sent = 0
    private var hasAnswer = false
    private var refusal: HTTPTransportError?

    init(_ exchange: CurlExchange) {
      self.exchange = exchange
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
      context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Called for each line of a head. Interim responses (1xx) come before the final one.
    func takeField(_ line: UnsafeRawBufferPointer) -> Int {
      hasAnswer = true
      let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
      if text.hasPrefix("HTTP/") {
        head = CurlExchange.Head(status: text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
      } else if text.isEmpty {
        if head.status >= 200 { exchange.deliver(head) }
      } else if let colon = text.firstIndex(of: ":") {
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        let name = text[..<colon].lowercased()
        head.headers[name] = head.headers[name].map { $0 + ", " + value } ?? value
      }
      return line.count
    }

    /// Called for each part of the body.
    func takePart(_ part: UnsafeRawBufferPointer) -> Int {
      if let isTaken = exchange.deliver(Array(part)) {
        if isTaken { return part.count }
        refusal = .connectionFailed("the server sends faster than the response is read")
        return 0
      }
      let room = exchange.request.maximumResponseBytes - body.count
      body.append(contentsOf: part.prefix(room))
      guard part.count > room else { return part.count }
      if exchange.request.cutsLongResponse {
        isCut = true
      } else {
        refusal = .responseTooLarge(limit: exchange.request.maximumResponseBytes)
      }
      return 0
    }

    /// Fills the buffer with the next part of the request's body.
    func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      let part = (exchange.request.body ?? [])[sent...].prefix(buffer.count)
      buffer.copyBytes(from: part)
      sent += part.count
      return part.count
    }

    /// The response, decoded.
    func response() throws(HTTPTransportError) -> HTTPTransportResponse {
      let encoding = head.headers["content-encoding"]?.lowercased() ?? ""
      if !body.isEmpty, Zlib.Format(rawValue: encoding) != nil { try decode(encoding) }
      return HTTPTransportResponse(status: head.status, headers: head.headers, body: body, isCut: isCut)
    }

    private func decode(_ encoding: String) throws(HTTPTransportError) {
      let limit = exchange.request.maximumResponseBytes
      if isCut { return body = Zlib.start(of: body, limit: limit) }
      do { body = try Zlib.decompress(body, limit: limit) } catch {
        switch error {
        case .tooLarge where exchange.request.cutsLongResponse:
          (body, isCut) = (Zlib.start(of: body, limit: limit), true)
        case .tooLarge: throw .responseTooLarge(limit: limit)
        case .corrupt, .outOfMemory: throw .connectionFailed("the answer's \(encoding) is broken")
        }
      }
    }

    /// Why there is no response; `nil` if there is one.
    func failure(_ code: CURLcode, _ message: UnsafePointer<CChar>) -> HTTPTransportError? {
      if let refusal { return refusal }
      switch code {
      case CURLE_OK: return nil
      case CURLE_WRITE_ERROR where isCut: return nil
      case CURLE_ABORTED_BY_CALLBACK: return .cancelled
      case CURLE_OPERATION_TIMEDOUT: return .timedOut
      case CURLE_GOT_NOTHING: return .connectionClosed
      case CURLE_SEND_ERROR where !hasAnswer, CURLE_RECV_ERROR where !hasAnswer: return .connectionClosed
      default:
        let reason = String(cString: message)
        return .connectionFailed(reason.isEmpty ? String(cString: curl_easy_strerror(code)) : reason)
      }
    }
  }
#endif
