internal import Curl
package import Pipeline
internal import Posix
internal import Synchronization

/// Performs exchanges with libcurl on a thread of its own.
package final class CurlFetching: Fetching, Sendable {
  private let settings: CurlSettings
  private let mailbox = Mailbox()
  private let memory: LargeBodyMemory
  /// Of bodies that were delivered and are still kept, as the caller tells.
  private let keptBytes = Atomic(0)
  private let thread: Lock<Thread?>

  /// - Parameter memory: What it shares with others; nil for one of its own.
  package init(settings: CurlSettings, memory: LargeBodyMemory? = nil) {
    self.settings = settings
    let (mailbox, memory) = (self.mailbox, memory ?? LargeBodyMemory(total: settings.largeBodyBytes))
    self.memory = memory
    thread = Lock(try? Thread.start(name: "fetching") { FetchLoop.run(settings, mailbox, memory) })
    if thread.withLock({ $0 == nil }) {
      _ = mailbox.close(because: .broken("the system has no thread to give"))
    }
  }

  deinit {
    shutdown()
  }

  /// Ends pending exchanges in `cancelled` and waits for the thread; later exchanges end there too.
  package func shutdown() {
    mailbox.stop()
    thread.withLock { $0.take() }?.join()
  }

  package var executor: (any TaskExecutor)? { mailbox }

  package func keeps(bytes: Int) { memory.add(bytes - keptBytes.exchange(bytes, ordering: .relaxed)) }

  package func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    if let fault = request.fault { return .failure(fault) }
    let ticket = Ticket()
    let started = SystemTime.monotonicMicroseconds
    let left = request.deadline.milliseconds(since: settings.now())
    request.activity?.waits()
    let deadline = started.adding(milliseconds: left)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let order = FetchOrder(
          request: request, ticket: ticket, started: started, deadline: deadline, continuation: continuation)
        if let closing = mailbox.post(order) { order.finish(.failure(closing.failure(for: request))) }
      }
    } onCancel: {
      mailbox.cancel(ticket)
    }
  }
}

/// What `CurlFetching` keeps to; every limit holds for each exchange by itself.
package struct CurlSettings: Sendable {
  package var userAgent = "halyard"
  /// Exchanges on the network at once; more of them wait their turn.
  package var transfers = 256
  /// Open connections, those kept for later exchanges included: several times as many as exchanges, because with many
  /// hosts the next one is seldom for a host that was just asked.
  package var connections = 1_024

  /// Limits of the phases, in milliseconds.
  package var nameLookupLimit: Int64 = 5_000
  package var connectLimit: Int64 = 5_000
  package var tlsLimit: Int64 = 5_000
  package var firstByteLimit: Int64 = 10_000
  /// How long, in milliseconds, an unwanted rest of a body may take before its connection is given up.
  package var restLimit: Int64 = 1_000

  /// Bytes of all header lines of an exchange, informational responses and trailers included.
  package var headerCapBytes = 64 << 10
  /// Bytes of a body on the wire, before decoding.
  package var wireBodyCapBytes = 8 << 20
  /// Bytes that a connection may receive for each exchange on it, whatever they are: chunk sizes and their extensions,
  /// empty lines, frames of HTTP/2 and TLS count too. Seen to every 50 ms.
  var trafficCapBytes: Int { 2 * wireBodyCapBytes + headerCapBytes + (1 << 20) }
  /// Bytes that bodies may take in memory all together, the first 64 KiB of each aside. Beyond it an exchange is given up
  /// and begun again when there is room for its body: then its server is asked twice.
  package var largeBodyBytes = 64 << 20
  /// Up to this many unwanted bytes are read, because a new connection would cost more.
  package var smallRestBytes = 128 << 10

  /// Where every exchange goes through: an http, https or socks5h URL, with credentials if it wants them.
  ///
  /// The proxy's own address is not guarded. A link's name is looked up here first, and goes to the proxy only when
  /// none of its addresses is refused; what the proxy then dials is up to the proxy.
  package var proxy: String?
  /// HTTP/2 where the server offers it over TLS.
  package var usesHTTP2 = true
  package var verifiesTLS = true
  /// A PEM file of trusted authorities in place of the system's.
  package var caFile: String?

  /// Whether a file can be that; true also when that is not known yet.
  package static func canTrust(file: String) -> Bool {
    (try? canLoadAuthorities(in: file)) ?? true
  }

  /// Why a port of a textual IP address must not be talked to; nil when it may.
  package var refusal: @Sendable (_ address: String, _ port: UInt16) -> String?
  /// The clock that the requests' deadlines are read on.
  package var now: @Sendable () -> Moment

  package init(
    now: @escaping @Sendable () -> Moment,
    refusal: @escaping @Sendable (_ address: String, _ port: UInt16) -> String?
  ) {
    self.now = now
    self.refusal = refusal
  }
}

/// Every transfer needs files that may be open.
extension CurlSettings {
  /// What is open besides transfers, with room to spare.
  private static let otherDescriptors = 64
  /// A transfer may ask the resolver, or try two addresses at once, beside its connection.
  private static let descriptorsPerTransfer = 2

  /// So many files have to be open for all the transfers at once.
  package func wantedDescriptors(threads: Int) -> Int {
    transfers * Self.descriptorsPerTransfer + mostConnections + threads * Self.descriptorsPerThread
      + Self.otherDescriptors
  }

  /// Every transfer has one of its own at most times.
  var mostConnections: Int { max(connections, transfers) }

  /// Keeps transfers to the files that may be open: connections that cannot be opened would look like servers that do
  /// not answer. What transfers do not need is for connections that are kept.
  package mutating func fit(descriptors limit: Int, threads: Int) {
    let others = threads * Self.descriptorsPerThread + Self.otherDescriptors
    let free = limit - min(others, limit / 2)
    transfers = max(1, min(transfers, free / (Self.descriptorsPerTransfer + 1)))
    connections = max(transfers, min(connections, free - transfers * Self.descriptorsPerTransfer))
  }

  /// Beside its transfers: what wakes it, and what it watches them with.
  private static let descriptorsPerThread = 4

  /// The same limits in all, for several threads that fetch, which share one memory for large bodies. There are no more
  /// threads than transfers.
  package func shared(among threads: Int) -> [CurlSettings] {
    let count = max(1, min(threads, transfers))
    return (0..<count).map { index in
      var share = self
      share.transfers = transfers.share(index, of: count)
      share.connections = connections.share(index, of: count)
      return share
    }
  }
}
