import Pipeline
import Roles

/// What a seed makes of a scenario: how many of everything there are, and how they are set.
struct SimulationPlan: Sendable {
  let scenario: SimulationScenario
  let batch: BatchID
  let jobs: SimulatedJobs
  let fetchers: [String]
  let decoders: [String]
  let decoderWindow: Int
  let aggregator: AggregatorSettings
  let fetcher: FetcherSettings
  let producer: ProducerSettings

  init(_ scenario: SimulationScenario, chance: SimulatedChance) {
    self.scenario = scenario
    batch = BatchID(chance.randomness.uuid(at: SimulatedLoop.start))
    jobs = SimulatedJobs(scenario, chance: chance)
    fetchers = (1...(1 + chance.below(3))).map { "fetcher-\($0)" }
    decoders = (1...(1 + chance.below(2))).map { "decoder-\($0)" }
    decoderWindow = 1 + chance.below(8)
    aggregator = AggregatorSettings(perHost: 1 + chance.below(8))
    fetcher = FetcherSettings(concurrency: 1 + chance.below(6))
    producer = ProducerSettings(
      batch: batch, isOrdered: chance.happens(0.5), window: 8 + chance.below(80), start: 4 + chance.below(60))
  }
}
