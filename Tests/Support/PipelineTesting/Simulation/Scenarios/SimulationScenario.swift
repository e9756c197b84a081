/// What goes wrong in a simulation, and how often. Counts are drawn for each seed.
package struct SimulationScenario: Sendable {
  package let name: String
  var weather = SimulatedWeather()
  var ledger = SimulatedLedgerFaults()
  var laneCuts: ClosedRange<Int64> = 0...0
  var partitions: ClosedRange<Int64> = 0...0
  var workerKills: ClosedRange<Int64> = 0...0
  var aggregatorKills: ClosedRange<Int64> = 0...0
  var producerKills: ClosedRange<Int64> = 0...0
  var stops: ClosedRange<Int64> = 0...0
  /// Times that the aggregator stands still and another one takes over.
  var takeovers: ClosedRange<Int64> = 0...0
  var drains: ClosedRange<Int64> = 0...0
  /// Times that a client wants the batch cancelled.
  var cancels: ClosedRange<Int64> = 0...0
  /// Things that are paused for a while, and the batch has terms.
  var pauses: ClosedRange<Int64> = 0...0
  /// Links of a hundred that kill the fetcher that is on them.
  var poisonous = 0
  /// Links of a hundred whose documents kill the decoder that reads them.
  var venomous = 0
  /// Most links lead from two hosts to two others, which want a pause between two requests.
  var isCrowded = false
  /// No worker goes on with a job that was taken from it, so that what it does can be counted on.
  var keepsManners = false
  /// One member lies about everything that it may say.
  var hasLiar = false
  /// Links of a hundred whose pages lead on.
  var turning = 0
  /// Jobs of a hundred that say as much as they may, or are told as much by a server.
  var wordy = 0

  /// Milliseconds in which things go wrong; then everything clears up.
  static let troubleMilliseconds: Int64 = 20_000
  /// Milliseconds in which everybody finds out that all is over.
  static let quietMilliseconds: Int64 = 75_000
  /// Milliseconds after which a batch that is not complete never will be.
  static let limitMilliseconds: Int64 = 1_200_000

  /// Workers are lost, or seem to be, although no job is to blame.
  var losesWorkers: Bool {
    hasLiar || [laneCuts, partitions, workerKills, stops].contains { $0.upperBound > 0 }
  }

  /// Workers are lost, or silent for as long as if they were.
  var losesWorkersForGood: Bool {
    hasLiar || [partitions, workerKills, stops].contains { $0.upperBound > 0 }
  }

  init(_ name: String, _ change: (inout Self) -> Void = { _ in }) {
    self.name = name
    change(&self)
  }

  package static let takeovers = SimulationScenario("takeovers") {
    $0.takeovers = 1...4
    $0.ledger.slow = 0.05
  }

  /// As a simulation must not go, to show that it would be found.
  package static let withoutFence = SimulationScenario("takeovers without a fence") {
    $0.takeovers = 2...4
    $0.ledger.slow = 0.1
    $0.ledger.isUnfenced = true
  }

  /// Each seed takes the next.
  package static let all: [SimulationScenario] = [
    SimulationScenario("calm") { $0.keepsManners = true },
    SimulationScenario("slow lanes") {
      $0.weather.lateRate = 0.05
      $0.weather.noiseRate = 0.02
    },
    SimulationScenario("broken lanes") {
      $0.laneCuts = 1...12
      $0.weather.lateRate = 0.01
      $0.weather.lostNoticeRate = 0.05
    },
    SimulationScenario("parted hosts") { $0.partitions = 1...4 },
    SimulationScenario("dying workers") {
      $0.workerKills = 1...12
      $0.weather.lostHostRate = 0.1
    },
    SimulationScenario("dying aggregator") {
      $0.aggregatorKills = 0...3
      $0.ledger.crashBefore = 0.01
      $0.ledger.crashAfter = 0.01
      $0.ledger.crashWhileSaying = 0.01
    },
    SimulationScenario("dying producer") { $0.producerKills = 1...4 },
    SimulationScenario("failing ledger") {
      $0.ledger.refusal = 0.05
      $0.ledger.falseAlarm = 0.02
      $0.ledger.readRefusal = 0.02
      $0.ledger.slow = 0.05
    },
    SimulationScenario("slow commits") {
      $0.ledger.slow = 0.3
      $0.cancels = 0...1
      $0.workerKills = 0...3
      $0.drains = 0...2
      $0.turning = 10
    },
    SimulationScenario("slow commits in storms") {
      $0.ledger.slow = 0.1
      $0.ledger.crashBefore = 0.003
      $0.ledger.crashAfter = 0.003
      $0.ledger.refusal = 0.03
      $0.ledger.falseAlarm = 0.01
      $0.weather.doubleRate = 0.02
      $0.laneCuts = 0...4
      $0.aggregatorKills = 0...2
      $0.producerKills = 0...2
      $0.pauses = 0...2
      $0.poisonous = 2
    },
    SimulationScenario("stopped processes") { $0.stops = 1...4 },
    takeovers,
    SimulationScenario("takeovers in storms") {
      $0.takeovers = 1...4
      $0.weather.lossRate = 0.01
      $0.weather.doubleRate = 0.02
      $0.weather.lateRate = 0.05
      $0.laneCuts = 0...3
      $0.workerKills = 0...3
      $0.aggregatorKills = 0...2
      $0.producerKills = 0...1
      $0.ledger.slow = 0.05
      $0.ledger.falseAlarm = 0.01
      $0.ledger.refusal = 0.01
      $0.turning = 10
    },
    SimulationScenario("poisonous links") { $0.poisonous = 6 },
    SimulationScenario("poisonous pages") { $0.venomous = 6 },
    SimulationScenario("turning pages") { $0.turning = 50 },
    SimulationScenario("turning in storms") {
      $0.turning = 50
      $0.weather.lossRate = 0.02
      $0.weather.doubleRate = 0.02
      $0.weather.lateRate = 0.05
      $0.laneCuts = 0...3
      $0.workerKills = 0...4
      $0.aggregatorKills = 0...2
      $0.drains = 0...3
    },
    SimulationScenario("cancelled batches") { $0.cancels = 1...2 },
    SimulationScenario("cancelled in storms") {
      $0.cancels = 1...3
      $0.weather.doubleRate = 0.02
      $0.weather.lateRate = 0.05
      $0.laneCuts = 0...3
      $0.workerKills = 0...4
      $0.aggregatorKills = 0...2
      $0.producerKills = 0...2
      $0.drains = 0...3
      $0.ledger.crashBefore = 0.003
      $0.ledger.crashAfter = 0.003
      $0.ledger.refusal = 0.01
      $0.ledger.falseAlarm = 0.003
      $0.ledger.readRefusal = 0.003
      $0.turning = 10
    },
    SimulationScenario("shared fleet") { $0.pauses = 0...5 },
    SimulationScenario("shared fleet in storms") {
      $0.pauses = 1...5
      $0.weather.lossRate = 0.01
      $0.weather.doubleRate = 0.02
      $0.laneCuts = 0...3
      $0.workerKills = 0...4
      $0.aggregatorKills = 0...3
      $0.producerKills = 0...2
      $0.drains = 0...3
      $0.ledger.crashBefore = 0.003
      $0.ledger.crashAfter = 0.003
      $0.turning = 10
    },
    SimulationScenario("long messages") {
      $0.wordy = 60
      $0.laneCuts = 0...2
      $0.workerKills = 0...2
      $0.aggregatorKills = 0...1
      $0.weather.noiseRate = 0.02
      $0.turning = 20
    },
    SimulationScenario("lying member") { $0.hasLiar = true },
    SimulationScenario("lying member in storms") {
      $0.hasLiar = true
      $0.weather.lossRate = 0.02
      $0.weather.doubleRate = 0.02
      $0.laneCuts = 0...3
      $0.workerKills = 0...3
      $0.aggregatorKills = 0...1
    },
    SimulationScenario("draining workers") {
      $0.drains = 1...10
      $0.keepsManners = true
    },
    SimulationScenario("lossy lanes") {
      $0.weather.lossRate = 0.02
      $0.weather.doubleRate = 0.02
      $0.weather.overtakeRate = 0.1
      $0.weather.lateRate = 0.05
    },
    SimulationScenario("crowded hosts") {
      $0.isCrowded = true
      $0.keepsManners = true
      $0.workerKills = 0...4
      $0.drains = 0...3
      $0.weather.lossRate = 0.02
    },
    SimulationScenario("everything") {
      $0.weather.lateRate = 0.02
      $0.weather.noiseRate = 0.01
      $0.weather.lostNoticeRate = 0.05
      $0.weather.lostHostRate = 0.1
      $0.laneCuts = 0...5
      $0.partitions = 0...2
      $0.workerKills = 0...5
      $0.aggregatorKills = 0...2
      $0.takeovers = 0...1
      $0.producerKills = 0...2
      $0.stops = 0...2
      $0.drains = 0...3
      $0.ledger.crashBefore = 0.003
      $0.ledger.crashAfter = 0.003
      $0.ledger.crashWhileSaying = 0.003
      $0.ledger.refusal = 0.01
      $0.ledger.falseAlarm = 0.003
      $0.ledger.readRefusal = 0.003
      $0.ledger.slow = 0.01
      $0.poisonous = 1
      $0.venomous = 1
      $0.turning = 10
    },
  ]
}
