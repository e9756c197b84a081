import Pipeline
import Posix

/// Runs a whole fleet in one thread on a virtual clock. A seed decides everything, so it can be run again.
public enum Simulation {
  /// Runs one seed to its end and looks at what is left.
  public static func run(seed: UInt64) -> SimulationReport {
    let scenarios = SimulationScenario.all
    return run(scenarios[Int(seed % UInt64(scenarios.count))], seed: seed)
  }

  static func run(_ scenario: SimulationScenario, seed: UInt64) -> SimulationReport {
    let chance = SimulatedChance(seed: seed)
    let loop = SimulatedLoop(chance: chance)
    let trace = SimulatedTrace { loop.now }
    let plan = SimulationPlan(scenario, chance: chance)
    let fleet = SimulatedFleet(plan, loop: loop, chance: chance, trace: trace)
    let network = SimulatedNetwork(
      loop: loop, chance: chance, trace: trace, weather: scenario.weather,
      watchSending: { fleet.sends($0) }, watch: { fleet.received($0, $1) })
    fleet.start(on: network)
    let limit = SimulatedLoop.start.advanced(byMilliseconds: SimulationScenario.limitMilliseconds)
    let ending = loop.run(until: limit)
    let inspection = Lock(SimulationInspection())
    Task(executorPreference: loop) {
      let seen = await SimulationInspection(of: fleet)
      inspection.withLock { $0 = seen }
      loop.finish()
    }
    _ = loop.run(until: loop.now)
    fleet.end()
    _ = loop.run(until: loop.now)
    return SimulationReport(
      seed: seed, ending, plan, fleet, inspection.withLock { $0 }, trace)
  }
}
