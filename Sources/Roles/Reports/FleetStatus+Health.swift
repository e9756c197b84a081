import Pipeline
import Scheduling

extension FleetStatus {
  /// What the aggregator knows besides, and what keeps jobs from being done.
  struct Circumstances {
    /// Why the ledger could not be written or read last; nil when it could.
    var fault: String?
    /// It gives out no more jobs.
    var isDrained = false
    /// It was run by an `up` that says nothing any more.
    var isUnattended = false
    /// The process of that `up`.
    var up: Int32?
    /// Where there was a ledger that was gone when the aggregator started.
    var lostLedger: String?
  }

  /// Says how well the fleet is, from what stands in the report.
  ///
  /// - Returns: Why jobs cannot be done now; nil when they can.
  mutating func judge(_ circumstances: Circumstances = Circumstances()) -> String? {
    let trouble = circumstances.fault ?? circumstances.end ?? circumstances.neglect ?? gap
    reason = trouble ?? stranger ?? circumstances.loss
    health = reason == nil ? "ok" : "degraded"
    return trouble
  }

  /// Who gets nothing to do, and why.
  private var stranger: String? {
    let strangers = workers.filter { $0.differs != nil }.sorted { $0.id < $1.id }
    guard let first = strangers.first, let difference = first.differs else { return nil }
    let others = strangers.count > 1 ? ", and so do \(strangers.count - 1) more" : ""
    return
      "\(first.role) \(first.id) gets nothing to do: \(difference)\(others); start it as the rest of its fleet"
  }

  /// Which role is missing on the way of a job, and what to do; nil when none is.
  private var gap: String? {
    let here = workers.filter { $0.address != nil && $0.verdict == MemberVerdict.compatible.name }
    let fetching = Set(here.filter { $0.role == Role.fetcher.name }.map(\.locality))
    let decoding = Set(here.filter { $0.role == Role.decoder.name }.map(\.locality))
    if let stranger, fetching.isEmpty || decoding.isEmpty { return stranger }
    if fetching.isEmpty, decoding.isEmpty { return "no workers: all jobs wait for a fetcher and a decoder" }
    if fetching.isEmpty { return "no fetcher: all jobs wait until one comes\(remedy(.fetcher))" }
    if let locality = fetching.subtracting(decoding).sorted().first {
      let place = decoding.isEmpty ? "" : " in locality \(locality)"
      return "no decoder\(place): pages wait until one comes\(remedy(.decoder))"
    }
    guard let locality = decoding.subtracting(fetching).sorted().first else { return nil }
    return
      "no fetcher in locality \(locality): its decoders get no pages until one comes\(remedy(.fetcher))"
  }

  /// What to do depends on whether `up` runs the fleet: then it starts the workers.
  private func remedy(_ role: Role) -> String {
    guard wanted != nil else { return ", as 'halyard \(role.name)' starts it" }
    if let leaving = workers.first(where: { $0.role == role.name && $0.leaving == true }) {
      return
        "; \(role.name) \(leaving.id) finishes what it has, and ends: '\(role.name)s' of 'halyard scale' count it until then"
    }
    guard let silent = silentWorkers.first(where: { $0.role == role.name }) else {
      return "; 'halyard up' starts one: its log says why one ends"
    }
    return
      "; \(role.name) \(silent.id) is silent: if it is stopped, let it go on with"
      + " 'kill -CONT \(silent.pid.map(String.init) ?? "PROCESS")'"
  }
}

extension FleetStatus.Circumstances {
  fileprivate var loss: String? {
    lostLedger.map {
      "a fleet ran here before, and its ledger \($0) was gone when the aggregator started: an empty one was begun; to go on with"
        + " the old one, stop the fleet and put it back; to go on without it, start the fleet again"
    }
  }

  fileprivate var end: String? {
    isDrained ? "drained: nothing more is given out until the aggregator is started again" : nil
  }

  fileprivate var neglect: String? {
    guard isUnattended else { return nil }
    return
      "'halyard up' says nothing any more, so nothing that ends is started again; if its process is stopped, let it go on with"
      + " 'kill -CONT \(up.map(String.init) ?? "PROCESS")'"
  }
}
