/// Where people pay.
public struct Till {
  let courier = Courier()

  public init() {}

  public func open() { courier.send(.opened) }

  public func pay() {
    let event = Event.paid
    courier.send(event)
  }
}
