package import Pipeline

/// The transport inside one process: inboxes are bounded queues, and nothing is copied or encoded. A message that a
/// frame could not hold is refused as between processes, so that what works here works there.
package actor InProcessTransport: Transport {
  private let capacity: Int
  private let clock: any PipelineClock
  private var mailboxes: [Address: Mailbox] = [:]

  /// - Parameter capacity: Messages an inbox holds before its senders wait.
  package init(capacity: Int = 4_096, clock: any PipelineClock) {
    self.capacity = capacity
    self.clock = clock
  }

  package func bind(_ address: Address) async throws -> any Inbox {
    if let bound = mailboxes[address], !bound.isClosed { throw TransportError.addressInUse(address) }
    let mailbox = Mailbox(address: address, capacity: capacity, clock: clock)
    mailboxes[address] = mailbox
    return mailbox
  }

  package func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    guard let mailbox = mailboxes[address] else { throw TransportError.unreachable(address) }
    let outlet = InProcessOutlet(mailbox: mailbox, notifying: inbox)
    await inbox?.note(LaneNotice(address: address, isUp: !mailbox.isClosed))
    return outlet
  }
}

/// A lane is up as long as its mailbox is open.
private final class InProcessOutlet: Outlet {
  private let mailbox: Mailbox

  init(mailbox: Mailbox, notifying inbox: (any Inbox)?) {
    self.mailbox = mailbox
    if let inbox { mailbox.watchers.add(inbox, for: ObjectIdentifier(self)) }
  }

  deinit {
    mailbox.watchers.remove(ObjectIdentifier(self))
  }

  func offer(_ burst: [Envelope]) -> Bool {
    burst.allSatisfy { Self.fits($0.message) } && mailbox.offer(burst)
  }

  /// What fetchers and decoders make of a page they have measured: it is looked at again only when it is long.
  private static func fits(_ message: Message) -> Bool {
    switch message {
    case .document(let document) where document.body.count < shortBytes: true
    case .result(let result) where result.members.count < shortBytes: true
    default: EnvelopeCodec.fits(message)
    }
  }

  private static let shortBytes = 1 << 20

  func send(_ burst: [Envelope]) async throws {
    var (fitting, refusal) = ([Envelope](), TransportError?.none)
    fitting.reserveCapacity(burst.count)
    for envelope in burst {
      do throws(FrameTooLarge) {
        try EnvelopeCodec.check(envelope.message)
        fitting.append(envelope)
      } catch {
        refusal = refusal ?? .tooLarge(bytes: error.bytes, limit: error.limit)
      }
    }
    try await mailbox.put(fitting)
    if let refusal { throw refusal }
  }

  func receiverSpoke() {}

  func close() async {
    mailbox.watchers.remove(ObjectIdentifier(self))
  }
}
