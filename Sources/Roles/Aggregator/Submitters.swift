import Pipeline

/// Who is submitting to which batch. A batch that is not closed belongs to one producer while that lives. A pure value.
struct Submitters: Sendable {
  enum Verdict: Hashable, Sendable {
    case welcome
    /// Another one may only seem to live; it is to ask again.
    case waits
    /// Another one lives.
    case taken
    /// It was refused before.
    case refused
  }

  private struct Owner: Sendable {
    var address: Address
    /// Who else wants the batch, and since when.
    var contest: (by: Address, since: Moment)?
  }

  private struct Refusal: Hashable, Sendable {
    var batch: BatchID
    var address: Address
  }

  /// A producer says something at least every two seconds; one that is silent for so long is gone.
  static let aliveMilliseconds: Int64 = 5_000
  /// By then a producer that is gone has been silent for long enough.
  static let contestMilliseconds: Int64 = 8_000

  private var owners: [BatchID: Owner] = [:]
  private var refusals: Set<Refusal> = []

  /// Somebody submits to a batch.
  mutating func spoke(
    _ address: Address, of batch: BatchID, at now: Moment, isAlive: (Address) -> Bool
  ) -> Verdict {
    if !refusals.isEmpty, refusals.contains(Refusal(batch: batch, address: address)) { return .refused }
    if let owner = owners[batch], owner.address != address, isAlive(owner.address) {
      var contest = owner.contest ?? (address, now)
      if contest.by != address { contest = (address, now) }
      owners[batch]?.contest = contest
      return now.milliseconds(since: contest.since) >= Self.contestMilliseconds ? .taken : .waits
    }
    if owners[batch]?.address != address { owners[batch] = Owner(address: address) }
    return .welcome
  }

  func owner(of batch: BatchID) -> Address? { owners[batch]?.address }

  /// It wanted something else than the batch has. What it sent on in the meantime is refused too.
  mutating func refused(_ address: Address, of batch: BatchID) {
    refusals.insert(Refusal(batch: batch, address: address))
    closed(batch, by: address)
  }

  /// It has submitted all it had.
  mutating func closed(_ batch: BatchID, by address: Address) {
    if owners[batch]?.address == address { owners[batch] = nil }
  }

  /// Nobody is at this address any more.
  mutating func left(_ address: Address) {
    owners = owners.filter { $0.value.address != address }
    if !refusals.isEmpty { refusals = refusals.filter { $0.address != address } }
  }
}
