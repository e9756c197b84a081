import Pipeline
import Posix

/// Runs a whole fleet in one thread on a virtual clock. A seed decides everything, so it can be run again.
package enum Simulation {
  private static let linesOfTrace = 100

  /// Runs one seed to its end and looks at what is left.
  ///
  /// - Parameters:
  ///   - scenario: nil for the one that is the seed's turn.
  ///   - showsAll: The report has the whole trace, whatever came out.
  package static func run(
    seed: UInt64, in scenario: SimulationScenario? = nil, showsAll: Bool = false
  ) -> SimulationReport {
    let scenarios = SimulationScenario.all
    let scenario = scenario ?? scenarios[Int(seed % UInt64(scenarios.count))]
    let chance = SimulatedChance(seed: seed)
    let loop = SimulatedLoop(chance: chance)
    let trace = SimulatedTrace(atMost: showsAll ? .max / 4 : linesOfTrace) { loop.now }
    let plan = SimulationPlan(scenario, chance: chance)
    let fleet = SimulatedFleet(plan, loop: loop, chance: chance, trace: trace)
    let network = SimulatedNetwork(
      loop: loop, chance: chance, trace: trace, weather: scenario.weather,
      watchSending: { fleet.sends($0) }, watchWaiting: { await fleet.waits($0) },
      watch: { fleet.received($0, $1) })
    fleet.start(on: network)
    SimulatedTrouble(fleet, network).brew()
    if scenario.hasLiar { SimulatedLiar.start(in: fleet, on: network) }
    let limit = SimulatedLoop.start.advanced(byMilliseconds: SimulationScenario.limitMilliseconds)
    let ending = loop.run(until: limit)
    let inspection = look(at: fleet, on: network)
    fleet.end()
    _ = loop.run(until: loop.now)
    return SimulationReport(seed: seed, ending, plan, fleet, inspection, trace, showsAll: showsAll)
  }

  /// What is left once everybody has had the time to find out that all is over.
  private static func look(at fleet: SimulatedFleet, on network: SimulatedNetwork) -> SimulationInspection {
    let loop = fleet.loop
    network.clearUp()
    fleet.clearUp()
    _ = loop.run(until: loop.now.advanced(byMilliseconds: SimulationScenario.quietMilliseconds))
    let inspection = Lock(SimulationInspection())
    Task(executorPreference: loop) {
      let seen = await SimulationInspection(of: fleet)
      inspection.withLock { $0 = seen }
    }
    _ = loop.run(until: loop.now)
    return inspection.withLock { $0 }
  }
}
