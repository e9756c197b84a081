import Pipeline

/// Lets things go wrong at moments that the seed decides about, and clears up after a while.
struct SimulatedTrouble {
  private let fleet: SimulatedFleet
  private let network: SimulatedNetwork
  private let scenario: SimulationScenario

  init(_ fleet: SimulatedFleet, _ network: SimulatedNetwork) {
    self.fleet = fleet
    self.network = network
    scenario = fleet.plan.scenario
  }

  func brew() {
    let (fleet, network, chance) = (fleet, network, fleet.chance)
    let everybody = fleet.workers + [SimulatedFleet.aggregator]
    some(scenario.laneCuts) { network.cutOne() }
    some(scenario.partitions) {
      guard let one = chance.element(of: everybody + [SimulatedFleet.producer]),
        let other = chance.element(of: everybody.filter { $0 != one })
      else { return }
      network.part(one, other, forMilliseconds: chance.within(100...15_000))
    }
    some(scenario.workerKills) { chance.element(of: fleet.workers).map(fleet.kill) }
    some(scenario.aggregatorKills) { fleet.kill(SimulatedFleet.aggregator) }
    some(scenario.takeovers) { fleet.usurp(forMilliseconds: chance.within(2_000...30_000)) }
    some(scenario.producerKills) { fleet.kill(SimulatedFleet.producer) }
    some(scenario.drains) { chance.element(of: fleet.workers).map(fleet.drain) }
    some(scenario.stops) {
      guard let slot = chance.element(of: everybody + [SimulatedFleet.producer]) else { return }
      fleet.stop(slot, forMilliseconds: chance.within(100...30_000))
    }
    for number in 0..<chance.within(scenario.cancels) {
      let moment = chance.within(0...SimulationScenario.troubleMilliseconds)
      fleet.loop.schedule(at: SimulatedLoop.start.advanced(byMilliseconds: moment)) {
        SimulatedCanceller.start(Int(number), in: fleet, on: network)
      }
    }
    for number in 0..<chance.within(scenario.pauses) {
      let moment = chance.within(0...SimulationScenario.troubleMilliseconds)
      fleet.loop.schedule(at: SimulatedLoop.start.advanced(byMilliseconds: moment)) {
        SimulatedSharer.start(Int(number), in: fleet, on: network)
      }
    }
    fleet.loop.schedule(
      at: SimulatedLoop.start.advanced(byMilliseconds: SimulationScenario.troubleMilliseconds)
    ) {
      fleet.trace.record("everything clears up", "")
      network.clearUp()
      fleet.book.clearUp()
    }
  }

  private func some(_ count: ClosedRange<Int64>, _ happen: @escaping SimulatedLoop.Action) {
    for _ in 0..<fleet.chance.within(count) {
      let moment = fleet.chance.within(0...SimulationScenario.troubleMilliseconds)
      fleet.loop.schedule(at: SimulatedLoop.start.advanced(byMilliseconds: moment), happen)
    }
  }
}
