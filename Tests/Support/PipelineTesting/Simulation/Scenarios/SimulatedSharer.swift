import Pipeline
import Roles

/// A client that pauses something, and resumes it after a while; it asks until that is answered.
struct SimulatedSharer {
  private static let timeoutMilliseconds: Int64 = 30_000

  private let fleet: SimulatedFleet
  private let process: SimulatedProcess
  private let transport: SimulatedTransport

  static func start(_ number: Int, in fleet: SimulatedFleet, on network: SimulatedNetwork) {
    let process = SimulatedProcess(slot: "sharer-\(number)", incarnation: 1, loop: fleet.loop)
    guard fleet.adopts(process) else { return }
    let sharer = SimulatedSharer(
      fleet: fleet, process: process, transport: SimulatedTransport(network: network, process: process))
    // Of each thing one, so that what one resumes no other has paused.
    let scopes = [
      PauseScope.all, .batch(fleet.plan.batch), .host("h0.test"), .host("h1.test"), .host("r0.test"),
    ]
    process.start {
      try await sharer.share(scopes[number % scopes.count])
    } ended: { error in
      if let error { fleet.trace.complain("\(process.name) ended by itself: \(error)") }
    }
  }

  private func share(_ scope: PauseScope) async throws {
    let clock = SimulatedClock(process: process)
    let ports = RolePorts(
      transport: transport, clock: clock, random: fleet.chance.randomness, executor: fleet.loop)
    let client = FleetClient(
      inbox: try await transport.bind(Address("sim://\(process.name)")), aggregator: SimulatedFleet.address,
      ports: ports, timeoutMilliseconds: Self.timeoutMilliseconds)
    try await ask(client, scope, isPaused: true)
    try await clock.sleep(until: clock.now.advanced(byMilliseconds: fleet.chance.within(0...15_000)))
    try await ask(client, scope, isPaused: false)
  }

  private func ask(_ client: FleetClient, _ scope: PauseScope, isPaused: Bool) async throws {
    while process.isAlive {
      do {
        _ = try await client.ask(PauseOrder(isPaused ? Pause(by: "sharer") : nil, of: scope))
        fleet.trace.record(isPaused ? "paused" : "resumed", process.name)
        if fleet.plan.scenario.aggregatorKills.upperBound > 0, fleet.chance.happens(0.4) {
          fleet.kill(SimulatedFleet.aggregator)
        }
        return
      } catch is ChangeUnconfirmed {
        continue
      } catch is FleetSilent {
        continue
      }
    }
  }
}
