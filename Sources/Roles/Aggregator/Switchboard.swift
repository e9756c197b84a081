import Pipeline

/// The aggregator's lanes to everybody who has spoken to it.
final class Switchboard {
  private let ports: RolePorts
  /// Is told when lanes go up and down.
  private let inbox: any Inbox
  private var workers: [WorkerID: Address] = [:]
  private var outboxes: [Address: Outbox] = [:]

  init(ports: RolePorts, inbox: any Inbox) {
    self.ports = ports
    self.inbox = inbox
  }

  /// Connects to whoever is new.
  func meet(_ worker: WorkerID, at address: Address) async {
    workers[worker] = address
    await meet(address)
  }

  func meet(_ address: Address) async {
    if let known = outboxes[address] { return known.receiverSpoke() }
    do {
      let outlet = try await ports.transport.connect(to: address, notifying: inbox)
      outboxes[address] = Outbox(outlet, ports: ports)
    } catch {
      ports.log.record(
        .warning, "cannot connect", [LogField("address", address), LogField("cause", "\(error)")])
    }
  }

  func forget(_ worker: WorkerID) async {
    if let address = workers.removeValue(forKey: worker) { await forget(address) }
  }

  func forget(_ address: Address) async {
    await outboxes.removeValue(forKey: address)?.close()
  }

  func add(_ message: Message, to worker: WorkerID, laneSequence: UInt64 = 0) {
    guard let address = workers[worker] else { return }
    outboxes[address]?.add(message, laneSequence: laneSequence)
  }

  func add(_ message: Message, to address: Address) {
    outboxes[address]?.add(message)
  }

  func flush() {
    for outbox in outboxes.values { outbox.flush() }
  }
}
