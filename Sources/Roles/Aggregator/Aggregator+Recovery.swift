import Links
import Pipeline

/// What an earlier aggregator left behind.
extension Aggregator {
  /// Takes up what an earlier aggregator left behind. Its workers are gone, or give up their leases as soon as they
  /// speak to us; a success they still send counts nevertheless.
  func recover() async throws {
    dispatcher = Dispatcher(settings: settings, lastToken: try await ledger.lastToken())
    var last: JobID?
    while true {
      let page = try await ledger.openJobs(after: last, limit: Self.burst)
      guard let end = page.last else { return }
      last = end.job.id
      try await takeUp(page.filter { settings.onlyBatch == nil || $0.job.batch == settings.onlyBatch })
    }
  }

  func takeUp(_ page: [OpenJob]) async throws {
    var turn = Turn()
    var freed = page
    for (index, open) in page.enumerated() {
      guard case .leased(let token) = open.life.state, freed[index].life.returned(under: token) else {
        continue
      }
      turn.add(.giveBack(open.job.id, token))
    }
    _ = try await commit(turn)
    for open in freed {
      guard let link = try? Intake.link(of: open.job) else { continue }
      dispatcher.arrived(open, host: link.hostKey, at: ports.clock.now)
    }
  }
}
