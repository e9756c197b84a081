import Posix

/// Many seeds on threads of their own. At the priority of all others: with less they come to no end on a busy machine.
package enum SimulationCampaign {
  package static func run(
    _ seeds: ClosedRange<UInt64>, in scenario: SimulationScenario? = nil, threads: Int = 2
  ) async throws -> [SimulationReport] {
    let next = Lock(seeds.lowerBound)
    let ended = AsyncStream.makeStream(of: SimulationReport.self)
    let workers = try (0..<threads).map { number in
      try Thread.start(name: "simulation-\(number)", stackBytes: 8 << 20) {
        while let seed = take(from: next, upTo: seeds.upperBound) {
          ended.continuation.yield(Simulation.run(seed: seed, in: scenario, showsAll: seeds.count == 1))
        }
      }
    }
    var reports: [SimulationReport] = []
    for await report in ended.stream {
      reports.append(report)
      if reports.count == seeds.count { break }
    }
    for worker in workers { worker.join() }
    return reports.sorted { $0.seed < $1.seed }
  }

  private static func take(from next: Lock<UInt64>, upTo last: UInt64) -> UInt64? {
    next.withLock { next in
      guard next <= last else { return nil }
      defer { next += 1 }
      return next
    }
  }
}
