import Posix

/// Many seeds, two at a time.
public enum SimulationCampaign {
  public static func run(_ seeds: ClosedRange<UInt64>, threads: Int = 2) throws -> [SimulationReport] {
    let next = Lock(seeds.lowerBound)
    let reports = Lock<[SimulationReport]>([])
    let workers = try (0..<threads).map { number in
      try Thread.start(name: "simulation-\(number)", stackBytes: 8 << 20) {
        while true {
          let seed: UInt64? = next.withLock { next in
            guard next <= seeds.upperBound else { return nil }
            defer { next += 1 }
            return next
          }
          guard let seed else { return }
          let report = Simulation.run(seed: seed, showsAll: seeds.count == 1)
          reports.withLock { $0.append(report) }
        }
      }
    }
    for worker in workers { worker.join() }
    return reports.withLock { $0 }.sorted { $0.seed < $1.seed }
  }
}
