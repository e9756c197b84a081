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
      mailbox.isOver.change { $0 = true }
    }
    // The thread does not hold them from its start, or they were not closed before its end.
    mailbox.put { $0.listeners = listeners }
  }

  /// Accepts no more connections, answers the requests that have begun, and returns when all connections and tasks have
  /// ended. After this time the rest is cut, and its tasks are cancelled.
  package func finish(within milliseconds: Milliseconds) async {
    mailbox.put { $0.finish(within: milliseconds) }
    await mailbox.isOver.wait()
  }

  /// Cuts all connections, cancels their tasks, and returns when these are over. It may be called while `finish` waits.
  package func end() async {
    await finish(within: 0)
  }

  /// Begins what `end` does, and does not wait for it.
  package func stop() { mailbox.put { $0.finish(within: 0) } }

  deinit { stop() }
}
