import DualSend
import DualSendCore
import DualSendRollout

extension LegacyLines.Line {
  /// What the line says of the app and its user, and beside that what is known of all lines.
  ///
  /// Of a version such as `25.4-beta` the numbers count, as they do in an app.
  func context(besides known: DecisionContext) -> DecisionContext {
    var context = known
    context.unitID = event.unitID
    for property in ContextProperty.ofApp {
      if case .string(let text)? = members[property.rawValue] { context.report(text, as: property) }
    }
    if case .object(let attributes)? = members["attributes"] {
      for case (let key, .string(let value)) in attributes { context.attributes[key] = value }
    }
    return context
  }
}
