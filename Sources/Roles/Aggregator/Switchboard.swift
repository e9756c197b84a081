import Pipeline

/// The aggregator's lanes to everybody who has spoken to it.
final class Switchboard {
  private let ports: RolePorts
  private var workers: [WorkerID: Address] = [:]
  private var outboxes: [Address: Outbox] = [:]

  init(ports: RolePorts) {
    self.ports = ports
  }

  /// Connects to whoever is new.
  func meet(_ worker: WorkerID, at address: Address) async {
    workers[worker] = address
    await meet(address)
  }

  func meet(_ address: Address) async {
    guard outboxes[address] == nil else { return }
    do {
      outboxes[address] = Outbox(try await ports.transport.connect(to: address), ports: ports)
    } catch {
      ports.log.record(
        .warning, "cannot connect", [LogField("address", address), LogField("cause", "\(error)")])
    }
  }

  func forget(_ worker: WorkerID) {
    if let address = workers.removeValue(forKey: worker) { outboxes[address] = nil }
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
