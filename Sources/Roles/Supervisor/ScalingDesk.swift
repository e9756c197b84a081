package import Pipeline

/// Where `up` hears how many workers it is to run.
package struct ScalingDesk: Sendable {
  /// Each question is answered at the address of the client that asked; few ask at a time.
  private static let mostClients = 16

  private let supervisor: Supervisor
  private let ports: RolePorts
  private let counts: ClosedRange<Int>
  private let admits: @Sendable (LaneSecret) -> Bool
  private let plan: @Sendable (Role, Int) -> ChildPlan

  /// - Parameters:
  ///   - counts: How many workers of a role there may be.
  ///   - plan: Of the worker of a role that has this number.
  ///   - admits: Whether a client may say anything, by its secret.
  package init(
    _ supervisor: Supervisor, _ ports: RolePorts, counts: ClosedRange<Int>,
    plan: @escaping @Sendable (Role, Int) -> ChildPlan,
    admits: @escaping @Sendable (LaneSecret) -> Bool
  ) {
    (self.supervisor, self.ports, self.admits) = (supervisor, ports, admits)
    (self.counts, self.plan) = (counts, plan)
  }

  /// Works until its task is cancelled.
  package func run(_ inbox: any Inbox) async throws {
    var clients: [Outbox] = []
    while true {
      for envelope in try await inbox.receive(atMost: Self.mostClients, until: nil).envelopes {
        guard admits(envelope.secret), case .ask(let ask) = envelope.message, let tell = await answer(to: ask)
        else {
          continue
        }
        var client = clients.first { $0.address == ask.replyTo && $0.secret == envelope.secret }
        if client == nil {
          client = try? await .connect(to: ask.replyTo, ports, secret: envelope.secret)
          if let client { clients.append(client) }
          if clients.count > Self.mostClients { await clients.removeFirst().outlet.close() }
        }
        client?.add(.tell(tell))
        client?.flush()
      }
    }
  }

  /// nil for what it does not do, and when all workers are to end.
  private func answer(to ask: Ask) async -> Tell? {
    let now = ports.clock.now
    guard ask.name == ScaleOrder.name else { return Tell(to: ask, at: now, refusal: .unknown) }
    guard let order = ask.question(as: ScaleOrder.self) else {
      return Tell(to: ask, at: now, refusal: .unreadable)
    }
    guard order.role == .fetcher || order.role == .decoder, counts.contains(Int(order.count)),
      await supervisor.scale(order.role.name, to: Int(order.count), { plan(order.role, $0) })
    else { return nil }
    return Tell(to: ask, at: now, order.count)
  }

  /// As many workers of a role as a machine may run: more would take its memory, and do nothing sooner.
  package static func counts(processors: Int) -> ClosedRange<Int> {
    1...min(1_000, 16 * max(1, processors))
  }
}
