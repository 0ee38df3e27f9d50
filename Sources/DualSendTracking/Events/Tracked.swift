import DualSendCore

/// A property wrapper that logs each change as an event with the old and the new value.
///
/// ```swift
/// @Tracked("settings.theme.changed", with: logger) var theme = Theme.light
/// @Tracked("profile.city.changed", of: \.address.city, with: logger) var profile = Profile()
/// ```
///
/// The event's parameters are `old_value` and `new_value`. Setting an equal value logs nothing. The event is logged on
/// the thread that sets the property; like any property, it must not be set concurrently.
@propertyWrapper
public struct Tracked<Value> {
  private var value: Value
  private let log: (_ old: Value, _ new: Value) -> Void

  /// The value; setting it logs a change.
  public var wrappedValue: Value {
    get { value }
    set {
      let old = value
      value = newValue
      log(old, newValue)
    }
  }

  private init(_ value: Value, log: @escaping (Value, Value) -> Void) {
    self.value = value
    self.log = log
  }

  /// Logs the changes of the whole value.
  public init(wrappedValue: Value, _ name: String, to scope: Sink.Scope = .all, with logger: any EventLogging)
  where Value: Equatable & Sendable {
    self.init(wrappedValue, name, of: \.self, to: scope, with: logger)
  }

  /// Logs the changes of one part of the value.
  public init<Part: Equatable & Sendable>(
    wrappedValue: Value, _ name: String, of part: KeyPath<Value, Part>, to scope: Sink.Scope = .all,
    with logger: any EventLogging
  ) {
    self.init(wrappedValue, name, of: part, to: scope, with: logger)
  }

  private init<Part: Equatable & Sendable>(
    _ value: Value, _ name: String, of part: KeyPath<Value, Part>, to scope: Sink.Scope, with logger: any EventLogging
  ) {
    self.init(value) { old, new in
      guard old[keyPath: part] != new[keyPath: part] else { return }
      logger.log(
        name, parameters: ["old_value": loggable(old[keyPath: part]), "new_value": loggable(new[keyPath: part])],
        to: scope)
    }
  }
}

/// The value for JSON: the raw value of a `RawRepresentable`, such as an enum's case; `null` if there is no JSON form.
private func loggable(_ value: some Sendable) -> EventValue {
  var converter = EventValueConverter()
  if let raw = value as? any RawRepresentable { return converter.convert(any: raw.rawValue) ?? .null }
  return converter.convert(any: value) ?? .null
}
