import DualSendCommandLine
import DualSendDatabase
package import DualSendTracking

/// The events in a tracker's databases that the collector refused for good.
package struct DeadLetterShelf: Sendable {
  private let databases: [NamedDatabase]

  package init(_ databases: [NamedDatabase]) {
    self.databases = databases
  }

  /// Those that are chosen. Changes no file.
  ///
  /// - Throws: ``CommandError`` if a database cannot be read.
  package func letters(_ isChosen: (DeadLetter) -> Bool) throws -> [DeadLetter] {
    try forEach { database throws(TrackingStoreError) in try StoredDeadLetters.read(database.file).filter(isChosen) }
      .flatMap { $0 }
  }

  /// Puts those that are chosen back into the queue, except those that cannot be sent. No tracker may work
  /// on the databases then.
  ///
  /// - Returns: how many there were.
  /// - Throws: ``CommandError`` if a database cannot be written.
  package func retry(_ isChosen: (DeadLetter) -> Bool) throws -> Int {
    try forEach { database throws(TrackingStoreError) in
      // To open one for writing changes it, so only those that have something to retry are.
      guard try StoredDeadLetters.read(database.file).contains(where: isChosen) else { return 0 }
      return try SQLiteTrackingDataStore.forTool(database.file).retryDeadLetters { letter in
        letter.canBeSent && isChosen(letter)
      }
    }.reduce(0, +)
  }

  private func forEach<Value>(_ body: (NamedDatabase) throws(TrackingStoreError) -> Value) throws -> [Value] {
    try databases.map { database in
      do throws(TrackingStoreError) { return try body(database) } catch {
        throw CommandError(error, database: database.path)
      }
    }
  }
}
