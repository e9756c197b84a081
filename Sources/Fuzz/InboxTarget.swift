import Dispatch
import LedgerMemory
import Pipeline
import Roles

/// Gives the frames to a fetcher, a decoder and an aggregator, each with time going by. Sound frames from anybody are
/// data, whatever they claim.
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
  let identity = WorkerIdentity(worker: worker, cell: "rack-7", aggregator: Address("inproc://aggregator"))
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
}

private let worker = WorkerID(UUIDv7(high: 0x0190_0000_0000_7000, low: 1 << 63))
