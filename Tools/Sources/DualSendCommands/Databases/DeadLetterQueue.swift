import DualSendCommandLine
import DualSendDatabase
import DualSendDelivery
package import DualSendTracking

/// The events in a tracker's databases that the collector refused for good.
package struct DeadLetterQueue: Sendable {
  private let databases: [NamedDatabase]

  package init(_ databases: [NamedDatabase]) {
    self.databases = databases
  }

  /// The selected events. Changes no file.
  ///
  /// - Throws: ``CommandError`` if a database cannot be read.
  package func letters(_ isChosen: (DeadLetter) -> Bool) throws -> [DeadLetter] {
    try forEach { database throws(TrackingStoreError) in try StoredDeadLetters.read(database.file).filter(isChosen) }
      .flatMap { $0 }
  }

  /// Puts the selected events back into the queue, except those that cannot be sent. No tracker may use the databases
  /// meanwhile.
  ///
  /// - Returns: the number of events put back.
  /// - Throws: ``CommandError`` if a database cannot be written.
  package func retry(_ isChosen: (DeadLetter) -> Bool) throws -> Int {
    try forEach { database throws(TrackingStoreError) in
      // Opening a database for writing changes it. Open only those with something to retry.
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
