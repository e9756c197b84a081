import Dispatch
import JSONQuery
import LedgerMemory
import Pipeline
import Posix
import Roles

/// Gives the frames to an aggregator, a fetcher, a decoder, a producer and an client, each with time going by. Sound
/// frames from any peer are data, whatever they claim.
@Sendable func checkInbox(_ bytes: [UInt8]) {
  let messages = frames(in: bytes).compactMap { try? EnvelopeCodec.decode(repaired($0)) }
  guard !messages.isEmpty else { return }
  let isDone = DispatchSemaphore(value: 0)
  Task {
    await work(on: messages)
    isDone.signal()
  }
  isDone.wait()
}

/// Each behind its length, two bytes.
private func frames(in bytes: [UInt8]) -> [[UInt8]] {
  var frames: [[UInt8]] = []
  var rest = bytes[...]
  while rest.count > 2, frames.count < 64 {
    let length = Int(rest.removeFirst()) | Int(rest.removeFirst()) << 8
    frames.append(Array(rest.prefix(length)))
    rest = rest.dropFirst(length)
  }
  return frames
}

/// A role ends with the messages; that it does not trap is what is asked of it.
private func work(on messages: [Envelope]) async {
  let clock = SteppedClock()
  let ports = RolePorts(transport: DeafTransport(), clock: clock, random: Randomness { 7 })
  let identity = WorkerIdentity(
    at: Moment(unixMilliseconds: 0), secret: .none, locality: "rack-7",
    aggregator: Address("inproc://aggregator"))
  func inbox() -> FuzzedInbox { FuzzedInbox(messages, clock) }
  var settings = AggregatorSettings()
  settings.workersMayLive = true
  let aggregator = Aggregator(settings: settings, inbox: inbox(), ledger: MemoryLedger(), ports: ports)
  try? await aggregator.run()
  let fetcher = Fetcher(
    settings: FetcherSettings(concurrency: 4), identity: identity, inbox: inbox(), ports: ports,
    fetching: NoNetwork())
  try? await fetcher.run()
  try? await Decoder(identity: identity, inbox: inbox(), ports: ports, window: 4).run()
  for isOrdered in [false, true] {
    let settings = ProducerSettings(batch: batch, isOrdered: isOrdered)
    let producer = Producer(settings: settings, inbox: inbox(), aggregator: identity.aggregator, ports: ports)
    try? await producer.run(FewJobs()) { _ in }
    await ask(FuzzedInbox(messages, clock, comesLate: true), isOrdered: isOrdered, ports)
  }
}

/// One question after another, as long as there are answers.
private func ask(_ inbox: FuzzedInbox, isOrdered: Bool, _ ports: RolePorts) async {
  let client = FleetClient(
    inbox: inbox, aggregator: Address("inproc://aggregator"), ports: ports, timeoutMilliseconds: 2_000)
  for follows in [true, false] {
    let copies = RowCopies(of: batch, isOrdered: isOrdered, follows: follows)
    _ = try? await client.copy(copies, into: { _ in })
    try? await client.ping(batch, count: 2, name: "ping.invalid") { _ in }
    _ = try? await client.ask(StatusQuestion()).bytes
    _ = try? await client.ask(RequeueOrder(JobChoice(batch)))
    _ = try? await client.ask(CancelOrder(JobChoice(batch), cause: "no longer needed"))
  }
}

/// As many as come in two messages.
private struct FewJobs: JobFeed {
  private let left = Lock(2)

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    guard
      left.withLock({ left in
        defer { left -= 1 }
        return left > 0
      })
    else { return nil }
    return (0..<min(limit, 3)).map { JobDraft(kind: .echo, input: "http://\($0).invalid/") }
  }
}

/// The one that the golden frames are about.
private let batch = BatchID(UUIDv7(high: 0x018B_CFE5_6801_7FED, low: 0xBCBA_9876_5432_10FE))

private let worker = WorkerID(UUIDv7(high: 0x0190_0000_0000_7000, low: 1 << 63))
