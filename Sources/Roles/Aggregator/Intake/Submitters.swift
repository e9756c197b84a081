import Pipeline

/// Who is submitting to which batch. A batch that is not closed belongs to one producer while that lives. A pure value.
struct Submitters: Sendable {
  enum Verdict: Hashable, Sendable {
    case welcome
    /// Another producer may still live, so this one must ask again later.
    case waits
    /// Another producer lives.
    case taken
    /// It was refused before, because of these.
    case refused(DifferingJobs)
  }

  private struct Owner: Sendable {
    var address: Address
    /// Whether nothing was known of the batch before; nil while that was not asked.
    var isNew: Bool?
    /// Behind all jobs that it has sent: none of those can be new.
    var beyond: UInt64 = 0
    /// Who else wants the batch, and since when.
    var contests: [Address: Moment] = [:]
  }

  private struct Refusal: Hashable, Sendable {
    var batch: BatchID
    var address: Address
  }

  /// A producer says something at least every two seconds; one that is silent for so long is gone.
  static let aliveMilliseconds: Int64 = 5_000
  /// By then a producer that is gone has been silent for long enough.
  static let contestMilliseconds: Int64 = 8_000
  /// More than want one batch at once; later ones are not kept waiting.
  private static let mostContests = 100

  private var owners: [BatchID: Owner] = [:]
  private var refusals: [Refusal: DifferingJobs] = [:]

  /// A producer submits to a batch.
  mutating func spoke(
    _ address: Address, of batch: BatchID, at now: Moment, isAlive: (Address) -> Bool
  ) -> Verdict {
    if let differing = refusal(of: address, to: batch) { return .refused(differing) }
    if let owner = owners[batch], owner.address != address, isAlive(owner.address) {
      guard let since = owner.contests[address] else {
        guard owner.contests.count < Self.mostContests else { return .taken }
        owners[batch]?.contests[address] = now
        return .waits
      }
      return now.milliseconds(since: since) >= Self.contestMilliseconds ? .taken : .waits
    }
    if owners[batch]?.address != address { owners[batch] = Owner(address: address) }
    return .welcome
  }

  func owner(of batch: BatchID) -> Address? { owners[batch]?.address }

  /// - Returns: Whether each job of a message has a place behind those before it, as in a list that is sent once.
  mutating func goesOn(_ submit: Submit) -> Bool {
    let (beyond, ordinals) = (owners[submit.batch]?.beyond ?? 0, submit.jobs.map { $0.ordinal })
    owners[submit.batch]?.beyond = max(beyond, ordinals.max()?.saturating(plus: 1) ?? 0)
    return ordinals.first ?? 0 >= beyond && zip(ordinals, ordinals.dropFirst()).allSatisfy(<)
  }

  /// Whether its jobs are new; nil when it is not known.
  func isNew(_ batch: BatchID) -> Bool? { owners[batch]?.isNew }

  mutating func isNew(_ batch: BatchID, _ isNew: Bool) { owners[batch]?.isNew = isNew }

  /// Why all that it submits to the batch is refused; nil when it is not.
  func refusal(of address: Address, to batch: BatchID) -> DifferingJobs? {
    refusals.isEmpty ? nil : refusals[Refusal(batch: batch, address: address)]
  }

  /// Its jobs differ from those of the batch. Its later messages get the same refusal, because it may not
  /// have received the first one.
  mutating func refused(_ address: Address, of batch: BatchID, _ differing: DifferingJobs) {
    refusals[Refusal(batch: batch, address: address)] = differing
    closed(batch, by: address)
  }

  /// It has submitted all it had.
  mutating func closed(_ batch: BatchID, by address: Address) {
    if owners[batch]?.address == address { owners[batch] = nil }
  }

  /// The peer at this address is gone.
  mutating func left(_ address: Address) {
    owners = owners.filter { $0.value.address != address }
    for batch in owners.keys { owners[batch]?.contests[address] = nil }
    if !refusals.isEmpty { refusals = refusals.filter { $0.key.address != address } }
  }
}
