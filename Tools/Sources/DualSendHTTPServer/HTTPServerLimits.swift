/// What a client may ask of an ``HTTPServer``, and for how long.
package struct HTTPServerLimits: Sendable, Hashable {
  /// The longest request line with all header fields, in bytes; a longer one is answered with 400.
  package var headBytes = 16 << 10
  /// How long a client may take for the next part of a request, and a whole head, and how long an unused connection stays
  /// open.
  package var idleTime = Duration.seconds(30)
  /// The most connections at once; further ones are closed at once.
  package var connections = 512

  package init() {}
}
