internal import Posix

/// Serves a few small pages over HTTP from a thread of its own, one connection after the other: for a Prometheus, or for probes.
///
/// It never waits for the work that it tells about. A client has a second to ask and to take its answer. The system keeps
/// back those that send nothing, so that idle connections do not hold up others.
package final class ScrapeServer: Sendable {
  /// Answers the path of a GET.
  package typealias Answering = @Sendable (_ path: String) -> ScrapeAnswer

  /// Where it listens, with the port that the system chose for 0.
  package let address: String
  private let stop: StopSignal
  private let thread: Posix.Thread

  private static let longestMilliseconds: Int32 = 1_000
  /// When the system hands a connection over, its first bytes are there, or did not come for seconds.
  private static let firstBytesMilliseconds: Int32 = 20
  private static let longestRequest = 8 << 10

  private init(address: String, stop: StopSignal, thread: Posix.Thread) {
    (self.address, self.stop, self.thread) = (address, stop, thread)
  }

  /// - Parameters:
  ///   - host: An IPv4 or IPv6 address.
  ///   - prepare: Called on the thread before the first connection; what it throws ends the start.
  package static func start(
    host: String, port: UInt16, prepare: @escaping @Sendable () throws -> Void = {},
    answering: @escaping Answering
  ) throws -> ScrapeServer {
    let listener = try Listener(address: host, port: port, backlog: 511, silentSeconds: 2)
    let stop = try StopSignal()
    let outcome = Lock<(any Error)?>(nil)
    let isReady = try StopSignal()
    let thread = try Posix.Thread.start(name: "metrics", stackBytes: 512 << 10) {
      do { try prepare() } catch { outcome.withLock { $0 = error } }
      isReady.raise()
      guard outcome.withLock({ $0 == nil }) else { return }
      serve(listener, unless: stop, answering)
    }
    // Returns when it is raised.
    try? isReady.sleep(milliseconds: .max)
    if let error = outcome.withLock({ $0 }) { throw error }
    let shown = host.contains(":") ? "[\(host)]" : host
    return ScrapeServer(address: "\(shown):\(listener.port)", stop: stop, thread: thread)
  }

  package func end() {
    stop.raise()
    thread.join()
  }

  deinit { stop.raise() }

  private static func serve(_ listener: Listener, unless stop: StopSignal, _ answering: Answering) {
    while true {
      do throws(PosixError) {
        let socket = try listener.accept(unless: stop)
        try? answer(socket, unless: stop, answering)
      } catch {
        guard !error.isStopped else { return }
        // Out of descriptors: one may be free again in a moment.
        guard (try? stop.sleep(milliseconds: 100)) != nil else { return }
      }
    }
  }

  private static func answer(
    _ socket: StreamSocket, unless stop: StopSignal, _ answering: Answering
  ) throws(PosixError) {
    let end = SystemTime.monotonicMicroseconds + Int64(longestMilliseconds) * 1_000
    func left() -> Int32 { Int32(clamping: max(0, end - SystemTime.monotonicMicroseconds) / 1_000) }
    var request: [UInt8] = []
    while !ScrapeRequest.isWhole(request) {
      let time = request.isEmpty ? firstBytesMilliseconds : left()
      let part = try socket.read(unless: stop, milliseconds: time)
      guard !part.isEmpty else { return }
      request += part
      guard request.count <= longestRequest else { return }
    }
    let asked = ScrapeRequest(request)
    let answer: ScrapeAnswer
    switch asked {
    case .get(let path), .head(let path): answer = answering(path)
    case .other: answer = .notAllowed
    case .malformed: answer = .malformed
    }
    try socket.write(answer.bytes(withBody: !asked.isHead), unless: stop, milliseconds: left())
    socket.finishWriting()
  }
}
