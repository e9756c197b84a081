import Pipeline
import Roles

/// A client that wants the batch cancelled, and asks until that is answered. The aggregator may die right then.
struct SimulatedCanceller {
  private static let timeoutMilliseconds: Int64 = 30_000

  private let fleet: SimulatedFleet
  private let process: SimulatedProcess
  private let transport: SimulatedTransport

  static func start(_ number: Int, in fleet: SimulatedFleet, on network: SimulatedNetwork) {
    let process = SimulatedProcess(slot: "canceller-\(number)", incarnation: 1, loop: fleet.loop)
    guard fleet.adopts(process) else { return }
    let canceller = SimulatedCanceller(
      fleet: fleet, process: process, transport: SimulatedTransport(network: network, process: process))
    process.start {
      try await canceller.cancel()
    } ended: { error in
      if let error { fleet.trace.complain("\(process.name) ended by itself: \(error)") }
    }
  }

  private func cancel() async throws {
    let ports = RolePorts(
      transport: transport, clock: SimulatedClock(process: process), random: fleet.chance.randomness,
      executor: fleet.loop)
    let client = FleetClient(
      inbox: try await transport.bind(Address("sim://\(process.name)")), aggregator: SimulatedFleet.address,
      ports: ports, timeoutMilliseconds: Self.timeoutMilliseconds)
    while process.isAlive {
      do {
        let jobs = try await client.ask(CancelOrder(JobChoice(fleet.plan.batch), cause: Self.cause))
        fleet.trace.record("cancelled", process.name, Int64(clamping: jobs))
        if fleet.chance.happens(0.6) { fleet.kill(SimulatedFleet.aggregator) }
        return
      } catch is ChangeUnconfirmed {
        continue
      } catch is FleetSilent {
        continue
      }
    }
  }

  static let cause = "nobody wants it"
}
