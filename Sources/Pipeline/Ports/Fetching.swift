internal import Synchronization

/// One header line, its name as received.
public struct HeaderField: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What the caller wants of the body of a final response. Bodies of redirects are never kept.
public enum BodyPolicy: Hashable, Sendable {
  /// Status and headers are enough.
  case nothing
  /// The first bytes of a page, should it be one. Their beginning is waited for like that of a response, more of them
  /// as long as they keep coming. Whatever happens to the body is no failure, and does not count as cut, but for what
  /// does not come in time.
  case startOfPage(capBytes: Int)
  /// A page: cut at the cap, and go on with what there is.
  case page(capBytes: Int)
  /// Data that is worthless when cut: beyond the cap the exchange fails with `body_too_large`.
  case whole(capBytes: Int)
}

/// One HTTP exchange. Redirects are not followed: the caller decides about the next hop.
public struct FetchRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
  }

  /// A serialised http or https URL without a fragment.
  public var url: String
  public var method: Method
  /// Sent in addition to the adapter's own (user agent, accepted encodings).
  public var headers: [HeaderField]
  /// What the job has got by way of cookies, as an earlier response told them; which of them are sent where is the
  /// adapter's to know. No others are ever sent.
  public var cookies: [String] = []
  public var body: BodyPolicy
  /// The exchange ends with `timeout` when it is not over by then.
  public var deadline: Moment
  /// Records whether anything has come from the server; nil when that does not matter.
  public var activity: FetchActivity?

  public init(
    url: String, method: Method = .get, headers: [HeaderField] = [], body: BodyPolicy, deadline: Moment
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.deadline = deadline
  }
}

/// How long each phase of an exchange took, in microseconds from its start; 0 where it did not happen.
public struct FetchTimings: Hashable, Sendable {
  public var nameLookup: Int64 = 0
  public var connect: Int64 = 0
  public var tls: Int64 = 0
  public var firstByte: Int64 = 0
  public var total: Int64 = 0

  public init() {}
}

/// The version of HTTP that a response came in.
public enum ResponseVersion: String, Hashable, Sendable {
  case http1 = "HTTP/1.0"
  case http11 = "HTTP/1.1"
  case http2 = "HTTP/2"
  case http3 = "HTTP/3"
}

/// The result of one exchange.
public struct FetchResponse: Sendable {
  public var status: Int
  public var headers: [HeaderField]
  /// The request's cookies, and what the response made of them: one line each in the form of Netscape's cookie file.
  public var cookies: [String] = []
  /// Decoded of its content encoding.
  public var body: [UInt8]
  /// The body was cut at the cap, or the peer ended it too early.
  public var truncated: Bool
  /// It was cut because of a cap: with a larger one there would be more of it.
  public var isCapped = false
  /// Why the body is not all that was wished for; status and headers stand all the same.
  public var bodyFailure: Failure?
  /// The address that was dialled, without its port.
  public var remoteAddress: String?
  /// nil when it is not known.
  public var version: ResponseVersion?
  /// A connection was made for it, and none was there to be used again.
  public var isOnNewConnection = false
  public var timings: FetchTimings

  public init(
    status: Int, headers: [HeaderField] = [], body: [UInt8] = [], truncated: Bool = false,
    bodyFailure: Failure? = nil, remoteAddress: String? = nil, timings: FetchTimings = FetchTimings()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.truncated = truncated
    self.bodyFailure = bodyFailure
    self.remoteAddress = remoteAddress
    self.timings = timings
  }

  /// The value of the first header of that name, compared without case.
  public func header(_ name: String) -> String? {
    headers.first { $0.isNamed(name) }?.value
  }

  /// The values of all headers of that name, in order.
  public func values(of name: String) -> [String] {
    headers.lazy.filter { $0.isNamed(name) }.map(\.value)
  }
}

extension HeaderField {
  /// Names of headers have no case.
  public func isNamed(_ other: String) -> Bool {
    let (name, other) = (name.utf8.span, other.utf8.span)
    guard name.count == other.count else { return false }
    for index in name.indices where lower(name[index]) != lower(other[index]) { return false }
    return true
  }

  private func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
}

/// The port to the network: performs single exchanges and guards every address it dials.
public protocol Fetching: Sendable {
  /// Ends in a response or a typed failure, and when the calling task is cancelled, in `cancelled`.
  ///
  /// After the headers have arrived, the response's `bodyFailure` reports any problem with the body.
  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure>

  /// How many bytes of bodies that were fetched the caller still holds, the free ones of each aside: what is fetched next
  /// may have to wait for them.
  func keeps(bytes: Int)

  /// The thread that fetches, for tasks that begin exchanges and go on with what they found: they wake no other thread
  /// then. Never for work that blocks. nil when there is no such thread.
  var executor: (any TaskExecutor)? { get }
}

/// What counts of the bodies that share a fetcher's memory.
public enum BodyMemory {
  /// Bytes of each that count for nothing, so that an ordinary page never waits for large ones.
  public static let freeBytes = 64 << 10
}

extension Fetching {
  public func keeps(bytes: Int) {}

  public var executor: (any TaskExecutor)? { nil }
}

/// Whether a fetcher works on a job, or only waits for its server: it cannot die of a job of which nothing has come.
/// Adapters that do not report leave it as it is.
public final class FetchActivity: Sendable {
  private let executing = Atomic(true)

  public init() {}

  public var isExecuting: Bool { executing.load(ordering: .acquiring) }

  /// Something has come from the server.
  public func works() { executing.store(true, ordering: .releasing) }

  /// Nothing has come yet.
  public func waits() { executing.store(false, ordering: .releasing) }
}

extension Int {
  /// Its part for one of several threads that fetch, when it is dealt out evenly.
  package func share(_ index: Int, of count: Int) -> Int {
    self / count + (index < self % count ? 1 : 0)
  }
}
