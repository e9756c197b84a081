import Pipeline

/// The transport as one process of the simulation sees it.
struct SimulatedTransport: Transport {
  let network: SimulatedNetwork
  let process: SimulatedProcess

  func bind(_ address: Address) async throws -> any Inbox {
    guard process.isAlive else { throw TransportError.closed(address) }
    return try network.bind(address, for: process)
  }

  func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    guard process.isAlive else { throw TransportError.closed(address) }
    let lane = SimulatedLane(to: address, from: process, notifying: inbox as? SimulatedInbox, in: network)
    network.opened(lane)
    return lane
  }
}
