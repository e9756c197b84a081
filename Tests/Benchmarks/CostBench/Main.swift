import Compression
import LedgerMemory
import LedgerSQLite
import Pipeline
import Posix
import Roles
import TransportFramed
import TransportInProcess

/// Sends jobs through all roles with the same steps in every run: scripts/costs counts their instructions, so there is one
/// thread for the roles, no chance, and no time.
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[3]), let job = Counted(rawValue: arguments[1])
    else {
      fatalError(
        "usage: CostBench echo LEDGER COUNT, CostBench title ADDRESS COUNT, or CostBench inflate FILE COUNT")
    }
    let thread = try OneThread()
    let rows = try thread.run { try await job.run(count, with: arguments[2], on: thread) }
    print("\(rows) of \(count) jobs")
  }
}

private enum Counted: String {
  case echo, title, inflate

  /// How many succeeded.
  func run(_ count: Int, with argument: String, on thread: OneThread) async throws -> Int {
    switch self {
    case .echo:
      let ledger = try await SQLiteLedger.open(path: argument)
      let drafts = (0..<count).map { JobDraft(kind: .echo, input: "echo number \($0)") }
      let transport = FramedTransport(over: InProcessTransport(clock: StoppedClock()))
      let ports = ports(over: transport, on: thread)
      let pipeline = LocalPipeline(settings: .init(), ports: ports, ledger: ledger, fetching: [NoNetwork()])
      let done = try await pass(drafts, through: pipeline, ports)
      await ledger.close()
      return done
    case .title:
      let drafts = (0..<count).map { JobDraft(kind: .title, input: "\(argument)/\($0)") }
      let (network, ledger) = (Network(), MemoryLedger(retellsCalls: false))
      let ports = ports(over: InProcessTransport(clock: StoppedClock()), on: thread)
      // One at a time: how many have arrived when the fetcher looks depends on how fast the server is.
      var settings = LocalPipeline.Settings()
      settings.fetcher.concurrency = 1
      let pipeline = LocalPipeline(settings: settings, ports: ports, ledger: ledger, fetching: [network])
      let done = try await pass(drafts, through: pipeline, ports)
      network.shutdown()
      return done
    case .inflate:
      let body = try Descriptor.reading(path: argument).readChunk()
      var page: [UInt8] = []
      return try (0..<count).count { _ in
        // Each body has a decoder of its own.
        var decoder = try GzipDecoder()
        page.removeAll(keepingCapacity: true)
        return try decoder.decode(body.span, into: &page, limit: 64 << 10).finished
      }
    }
  }
}

/// How many of the jobs succeeded.
private func pass(_ drafts: [JobDraft], through pipeline: LocalPipeline, _ ports: RolePorts) async throws
  -> Int
{
  let settings = ProducerSettings(batch: BatchID(ports.random.uuid(at: ports.clock.now)))
  let done = Lock(0)
  try await pipeline.withProducer(settings) { producer, _ in
    try await producer.run(Drafts(drafts)) { rows in
      done.withLock { $0 += rows.count { $0.failure == nil } }
    }
  }
  return done.withLock { $0 }
}

private func ports(over transport: any Transport, on thread: OneThread) -> RolePorts {
  RolePorts(transport: transport, clock: StoppedClock(), random: counting(), executor: thread)
}

private func counting() -> Randomness {
  let last = Lock<UInt64>(0)
  return Randomness {
    last.withLock { last in
      last &+= 0x9E37_79B9_7F4A_7C15
      return last
    }
  }
}

private final class Drafts: JobFeed {
  private let left: Lock<ArraySlice<JobDraft>>

  init(_ drafts: [JobDraft]) {
    left = Lock(drafts[...])
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    left.withLock { left in
      guard !left.isEmpty else { return nil }
      defer { left = left.dropFirst(limit) }
      return Array(left.prefix(limit))
    }
  }
}
