package import HTTPMessages
package import Posix

/// An HTTP/1.1 server. One thread serves all connections, and what takes time is done by tasks.
package final class HTTPServer: Sendable {
  private let mailbox: Mailbox

  /// Serves from now on. The listeners belong to the server, which closes them when it ends.
  package init(
    _ listeners: [Listener], limits: ServerLimits = ServerLimits(), _ service: Service
  ) throws(PosixError) {
    let mailbox = try Mailbox()
    self.mailbox = mailbox
    let poller = try Poller()
    try poller.add(mailbox.bell, id: ServerLoop.bellID)
    for (index, listener) in listeners.enumerated() {
      listener.prepareForServer(lostAfter: UInt32(clamping: limits.connection.answer * 2))
      try poller.add(listener, id: ServerLoop.listenerID(index))
    }
    _ = try Posix.Thread.start(name: "http") {
      ServerLoop(limits, service, poller: poller, mailbox: mailbox).run()
      mailbox.isOver.keep(())
    }
    // The thread does not hold them from its start, or they were not closed before its end.
    mailbox.put { $0.listeners = listeners }
  }

  /// Accepts no more connections, answers the requests that have begun, and returns when all connections and tasks have
  /// ended. After this time the rest is cut, and its tasks are cancelled. It may be called again while that lasts.
  package func finish(within milliseconds: Milliseconds) async {
    mailbox.put { $0.finish(within: milliseconds) }
    await mailbox.isOver.value
  }

  /// Begins to cut all connections and to cancel their tasks, and does not wait for it.
  package func stop() { mailbox.put { $0.finish(within: 0) } }

  deinit { stop() }
}

/// What a server's owner does with requests.
package struct Service: Sendable {
  /// Called on the thread that serves all connections, so it must not block.
  package var react: @Sendable (RequestHead, Client) -> Reaction
  /// Makes the responses that the server itself gives: to malformed or late requests, and to connections beyond its
  /// limits.
  package var refuse: @Sendable (_ status: Int, _ reason: String) -> Response

  package init(
    refuse: @escaping @Sendable (_ status: Int, _ reason: String) -> Response = { Response($0, text: $1) },
    react: @escaping @Sendable (RequestHead, Client) -> Reaction
  ) {
    (self.refuse, self.react) = (refuse, react)
  }
}

/// Who sent a request.
package struct Client: Hashable, Sendable {
  /// The address; nil at a Unix socket.
  package let host: String?
  /// Its connections are counted by this; empty at a Unix socket.
  let network: [UInt64]
}

/// How a request will be answered.
package enum Reaction: Sendable {
  /// At once. If the request has a body, the body is not read and the connection ends.
  case answer(Response)
  /// When it is known. What it begins with says what to do when that does not come in time. A body is not read, as with
  /// `answer`.
  case later(within: Milliseconds, @Sendable (@escaping Completion) -> Waiting)
  /// By a task of its own, once the body has come. The task is cancelled when the client leaves.
  case task(bodyLimit: Int = 0, Work)

  /// Takes what makes the answer, which is called if a client still waits for it: on the thread that serves all
  /// connections, so it must not block.
  package typealias Completion = @Sendable (@escaping @Sendable () -> Response) -> Void
  package typealias Work = @Sendable (Request) async -> Reply
}

/// A client that waits for an answer, until it has the answer or one of these is called.
package struct Waiting: Sendable {
  /// It waits no longer, and has this instead.
  let late: @Sendable () -> Response
  let left: @Sendable () -> Void

  package init(late: @escaping @Sendable () -> Response, left: @escaping @Sendable () -> Void) {
    (self.late, self.left) = (late, left)
  }
}

package struct Request: Sendable {
  package let head: RequestHead
  package let body: [UInt8]
}

package enum Reply: Sendable {
  case whole(Response)
  /// The closure writes the body piece by piece. If it throws, the connection is cut, so that the client does not take
  /// the part for the whole.
  case stream(ResponseHead, @Sendable (ResponseStream) async throws -> Void)
}

/// Limits of a server and of each of its connections.
package struct ServerLimits: Sendable {
  package var connection = ConnectionLimits()
  package var connections = 1_024
  /// Of one address of IPv4, or of one /64 of IPv6.
  package var connectionsOfAddress = 64
  /// Addresses whose connections are not counted: this machine's, and those of proxies if there are any.
  package var isTrusted: @Sendable (_ host: String) -> Bool = { isLoopback($0) }

  package init() {}
}

/// Whether an address, as `Client` has it, leads to this machine itself.
package func isLoopback(_ host: String) -> Bool {
  host.hasPrefix("127.") || host == "0:0:0:0:0:0:0:1"
}
