/// Stands for the service that an app's events go to: prints each as one line of JSON.
public enum Output {
  /// Prints an event.
  public static func write(name: String, parameters: [String: Any]) {
    print("{\"name\":\(text(name)),\"parameters\":\(text(parameters))}")
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let value as String: "\"" + value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    case let value as Int: "\(value)"
    case let value as Double: "\(value)"
    case let value as Bool: "\(value)"
    case let value as [Any]: "[" + value.map(text).joined(separator: ",") + "]"
    case let value as [String: Any]:
      "{" + value.sorted { $0.key < $1.key }.map { text($0.key) + ":" + text($0.value) }.joined(separator: ",") + "}"
    default: "\"\(value)\""
    }
  }
}
