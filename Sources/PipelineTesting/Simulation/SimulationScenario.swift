/// What goes wrong in a simulation, and how often. Counts are drawn for each seed.
public struct SimulationScenario: Sendable {
  public let name: String
  var weather = SimulatedWeather()
  var ledger = SimulatedLedgerFaults()
  var laneCuts: ClosedRange<Int64> = 0...0
  var partitions: ClosedRange<Int64> = 0...0
  var workerKills: ClosedRange<Int64> = 0...0
  var aggregatorKills: ClosedRange<Int64> = 0...0
  var producerKills: ClosedRange<Int64> = 0...0
  var stops: ClosedRange<Int64> = 0...0
  var drains: ClosedRange<Int64> = 0...0
  /// Links of a hundred that kill whoever fetches or reads them.
  var poisonous = 0
  /// Whether a worker can be lost without any link being to blame.
  var losesWorkers = false

  /// Milliseconds in which things go wrong; then everything clears up.
  static let troubleMilliseconds: Int64 = 20_000
  /// Milliseconds after which a batch that is not complete never will be.
  static let limitMilliseconds: Int64 = 1_200_000

  init(_ name: String, _ change: (inout Self) -> Void = { _ in }) {
    self.name = name
    change(&self)
  }

  /// Each seed takes the next.
  public static let all: [SimulationScenario] = [
    SimulationScenario("calm")
  ]
}
