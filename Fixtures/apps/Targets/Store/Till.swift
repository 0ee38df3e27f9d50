/// Where people pay.
public struct Till {
  let courier = Courier()

  /// Makes the till.
  public init() {}

  /// Opens it.
  public func open() { courier.send(.opened) }

  /// Takes the money.
  public func pay() {
    let event = Event.paid
    courier.send(event)
  }
}
