import SwiftSyntax

extension FunctionCallExprSyntax {
  /// By which a call is told from the others of its file.
  var placeOffset: Int { calledExpression.endPositionBeforeTrailingTrivia.utf8Offset }

  /// Whether the labels are those of a function, whose last ones may be left out.
  func hasLabels(of function: LoggingFunction) -> Bool {
    let given = arguments.map { $0.label?.identifierText ?? "_" }
    guard trailingClosure == nil, given.count <= function.labels.count else { return false }
    if function.labels.starts(with: given) { return !given.isEmpty || function.labels.isEmpty }
    var labels = function.labels[...]
    for label in given {
      guard let place = labels.firstIndex(of: label) else { return false }
      labels = labels[(place + 1)...]
    }
    return true
  }

  /// The argument of a function's parameter, where the call gives each parameter before it, too.
  func argument(of function: Declaration, _ position: Int) -> ExprSyntax? {
    let given = arguments.map { $0.label?.identifierText ?? "_" }
    guard given.count > position, given.prefix(position + 1).elementsEqual(function.labels.prefix(position + 1)) else {
      return nil
    }
    return arguments.dropFirst(position).first?.expression
  }

  /// An argument by its position or label.
  func argument(_ place: LoggingFunction.Argument) -> ExprSyntax? {
    switch place {
    case .position(let position): arguments.dropFirst(position).first?.expression
    case .label(let label): arguments.first { $0.label?.identifierText == label }?.expression
    case .receiver: nil
    }
  }
}
