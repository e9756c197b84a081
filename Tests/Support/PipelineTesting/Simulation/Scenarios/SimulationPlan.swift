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

  /// The runs among the jobs.
  var runs: [JobID: SimulatedRun] {
    var runs: [JobID: SimulatedRun] = [:]
    for (ordinal, entry) in jobs.entries.enumerated() {
      runs[JobID(batch: batch, ordinal: UInt64(ordinal))] = entry.run
    }
    return runs
  }

  init(_ scenario: SimulationScenario, chance: SimulatedChance) {
    self.scenario = scenario
    batch = BatchID(chance.randomness.uuid(at: SimulatedLoop.start))
    jobs = SimulatedJobs(scenario, chance: chance)
    fetchers = (1...(1 + chance.below(3))).map { "fetcher-\($0)" }
    decoders = (1...(1 + chance.below(2))).map { "decoder-\($0)" }
    decoderWindow = 1 + chance.below(8)
    aggregator = Self.aggregator(scenario, chance)
    fetcher = FetcherSettings(concurrency: 1 + chance.below(6))
    var producer = ProducerSettings(
      batch: batch, isOrdered: chance.happens(0.5), window: 8 + chance.below(80), start: 4 + chance.below(60),
      deadlineMilliseconds: chance.happens(0.2) ? chance.within(3_000...60_000) : nil)
    if scenario.pauses.upperBound > 0 { producer.terms = Self.terms(chance) }
    self.producer = producer
  }

  private static func terms(_ chance: SimulatedChance) -> BatchTerms {
    var terms = BatchTerms(name: "simulated")
    terms.weight = UInt32(clamping: chance.within(1...1_000))
    if chance.happens(0.6) { terms.atMost = UInt32(clamping: chance.within(1...8)) }
    if chance.happens(0.4) { terms.perHour = UInt32(clamping: 3_600 * chance.within(3...60)) }
    if chance.happens(0.3) {
      terms.startsAt = SimulatedLoop.start.advanced(byMilliseconds: chance.within(0...8_000))
    }
    return terms
  }

  /// Sometimes memory is so small that jobs wait in the ledger, and producers for room. Crowded hosts have paces of their
  /// own.
  private static func aggregator(
    _ scenario: SimulationScenario, _ chance: SimulatedChance
  ) -> AggregatorSettings {
    var settings = AggregatorSettings(perHost: 1 + chance.below(scenario.isCrowded ? 3 : 8))
    if scenario.isCrowded {
      settings.hostDelayMilliseconds = chance.within(0...900)
      settings.hostPaces.atOnce[HostPattern("h1.test")] = 1
      settings.hostPaces.atOnce[HostPattern("h2.test")] = settings.perHost + 2
      settings.hostPaces.delays[HostPattern("h2.test")] = settings.hostDelayMilliseconds / 2
      settings.hostPaces.delays[HostPattern("h3.test")] = settings.hostDelayMilliseconds + 300
    }
    settings.workersMayLive = chance.happens(0.8) || scenario.hasLiar
    if chance.happens(0.3) { settings.mostInMemory = 4 + chance.below(12) }
    if chance.happens(0.2) { settings.mostOpenJobs = 20 + chance.below(20) }
    return settings
  }
}
