import HTTPMessages
import HTTPServer
import Posix

/// An event that a test waits for, or lets happen.
final class Signal: Sendable {
  private let state = Lock<(isRaised: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  func raise() {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      defer { state = (true, []) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isRaised = state.withLock { state in
        if !state.isRaised { state.waiters.append(continuation) }
        return state.isRaised
      }
      if isRaised { continuation.resume() }
    }
  }
}

/// Runs a server on a port of loopback for as long as the body does.
func withServer(
  _ service: Service, _ limits: ServerLimits = ServerLimits(),
  _ body: (_ port: UInt16, _ server: HTTPServer) async throws -> Void
) async throws {
  let (server, port) = try startServer(limits, service)
  do {
    try await body(port, server)
  } catch {
    await server.finish(within: 0)
    throw error
  }
  await server.finish(within: 0)
}

private func startServer(
  _ limits: ServerLimits, _ service: Service
) throws -> (server: HTTPServer, port: UInt16) {
  let listener = try Listener(port: 0)
  return (try HTTPServer([listener], limits: limits, service), listener.port)
}

extension Service {
  /// Answers with the path; below `/echo`, with the body.
  static let plain = Service { head, _ in
    guard head.path == "/echo" else { return .answer(Response(200, text: head.path)) }
    return .task(bodyLimit: 100_000) { .whole(Response(ResponseHead(200), body: $0.body)) }
  }
}

func get(_ path: String, _ fields: String = "") -> String {
  "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
}

func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
  var limits = ServerLimits()
  change(&limits)
  return limits
}
