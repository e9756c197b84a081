import Pipeline

/// A member of the fleet that lies about everything it may say, to everybody: forged leases and workers, results of jobs
/// that it does not hold, leases of others, credit without end, good-byes in others' names, places far ahead in a lane.
///
/// It knows its own secret, and nobody else's.
struct SimulatedLiar {
  private let fleet: SimulatedFleet
  private let process: SimulatedProcess
  private let transport: SimulatedTransport
  private let secret = LaneSecret(high: 1, low: 2)

  private var chance: SimulatedChance { fleet.chance }
  private var address: Address { Address("sim://\(process.name)") }

  /// It is there from the beginning, and gone when everything clears up.
  static func start(in fleet: SimulatedFleet, on network: SimulatedNetwork) {
    let process = SimulatedProcess(slot: "liar", incarnation: 1, loop: fleet.loop)
    let liar = SimulatedLiar(
      fleet: fleet, process: process, transport: SimulatedTransport(network: network, process: process))
    process.start {
      try await liar.lie()
    } ended: { _ in
      // It may.
    }
    fleet.loop.schedule(
      at: SimulatedLoop.start.advanced(byMilliseconds: SimulationScenario.troubleMilliseconds)
    ) { process.kill() }
  }

  private func lie() async throws {
    let inbox = try await transport.bind(address)
    let clock = SimulatedClock(process: process)
    var lanes: [Address: any Outlet] = [:]
    while true {
      let moment = clock.now.advanced(byMilliseconds: chance.within(5...250))
      // What it is told it keeps, and never does.
      while clock.now < moment { _ = try await inbox.receive(atMost: 64, until: moment) }
      guard let slot = chance.element(of: [SimulatedFleet.aggregator] + fleet.workers),
        let peer = fleet.process(slot), peer.isAlive, !peer.isStopped
      else { continue }
      let target =
        slot == SimulatedFleet.aggregator ? SimulatedFleet.address : Address("sim://\(peer.name)")
      if lanes[target] == nil { lanes[target] = try await transport.connect(to: target) }
      guard let lane = lanes[target] as? SimulatedLane, lane.isUp else { continue }
      let lies = (0...chance.below(4)).map { _ in
        Envelope(
          slot == SimulatedFleet.aggregator ? lieToAggregator() : lieToWorker(), laneSequence: number(),
          secret: secret)
      }
      try await lane.send(lies)
    }
  }
}

// What it says.
extension SimulatedLiar {
  private func lieToAggregator() -> Message {
    switch chance.below(12) {
    case 0, 1, 2: .hello(hello(role: chance.happens(0.5) ? .fetcher : .decoder))
    case 3, 4, 5: .result(result())
    case 6: .credit(Credit(from: worker(), granted: number(), finished: tokens()))
    case 7:
      .giveBack(
        GiveBack(
          from: forged(), tokens: tokens(), executing: 9, reason: .peerLost, peer: forged()))
    case 8: .bye(Bye(worker: worker()))
    case 9: .cancel(cancel())
    case 10: .drain
    default: .hostSlotRequest(HostSlotRequest(from: forged(), token: token(), number: .max, host: "h0.test"))
    }
  }

  private func lieToWorker() -> Message {
    switch chance.below(8) {
    case 0: .hello(hello(role: chance.happens(0.5) ? .fetcher : .decoder))
    case 1: .credit(Credit(from: worker(), granted: number(), finished: tokens()))
    case 2:
      .roster(
        Roster(
          decoders: (0..<chance.below(300)).map { _ in Roster.Peer(worker: forged(), address: elsewhere()) }))
    case 3: .ack(Ack(tokens: tokens()))
    case 4: .cancel(Cancel(.leases(tokens()), cause: "a lie"))
    case 5: .job(order())
    case 6: .hostSlotGrant(HostSlotGrant(token: token(), number: .max))
    default:
      .document(
        Document(
          order: order(), sender: worker(), url: "http://h0.test/page/0", failure: nil, contentType: nil,
          truncated: false, elapsedMilliseconds: .max, members: [], body: Array("<title>a lie".utf8)))
    }
  }

  private func hello(role: Role) -> Hello {
    Hello(
      worker: worker(), role: role, locality: "one", address: elsewhere(), granted: number(),
      received: number(), held: tokens(), executing: tokens(), messages: .max)
  }

  /// A lease that there is, of another job; or a job that there is, under another lease.
  private func result() -> JobResult {
    let leases = fleet.allLeases
    var job = JobID(chance.randomness.uuid(at: fleet.loop.now))
    var token = forgedToken()
    if let one = chance.element(of: leases), chance.happens(0.7) {
      if chance.happens(0.5) { job = one.job } else { token = one.token }
    }
    var result = JobResult(
      job: job, sender: worker(), lease: Lease(token: token, attempt: UInt16(1 + chance.below(3))),
      failure: chance.happens(0.3) ? Failure(.notHTML, at: .page, "a lie") : nil, failedHost: "h0.test",
      members: Array("\"a\":\"lie\"".utf8), milliseconds: 0)
    if chance.happens(0.2) {
      result.continuation = Continuation(
        url: "http://h0.test/page/1", hops: [], visits: [], cookies: [], hasLeft: false,
        elapsedMilliseconds: 0)
    }
    return result
  }

  /// Work that was never given out.
  private func order() -> JobOrder {
    let job = Job(
      batch: BatchID(chance.randomness.uuid(at: fleet.loop.now)), ordinal: 0, kind: .title,
      input: "http://h0.test/data/999999")
    return JobOrder(job: job, lease: Lease(token: forgedToken(), attempt: 1))
  }

  private func cancel() -> Cancel {
    let batch = BatchID(chance.randomness.uuid(at: fleet.loop.now))
    switch chance.below(3) {
    case 0: return Cancel(.leases(tokens()), cause: "a lie")
    case 1: return Cancel(.all(batch), cause: "a lie")
    default: return Cancel(.jobs(of: batch, (0..<5).map { _ in number() }), cause: "a lie")
    }
  }

  private func forged() -> WorkerID { WorkerID(chance.randomness.uuid(at: fleet.loop.now)) }

  /// Itself, another member, or one that there is not.
  private func worker() -> WorkerID {
    chance.happens(0.5)
      ? WorkerID(at: SimulatedLoop.start, provenBy: secret) : chance.element(of: fleet.workerIDs) ?? forged()
  }

  private func elsewhere() -> Address {
    chance.happens(0.5) ? address : Address("sim://nobody-\(chance.below(4))")
  }

  private func token() -> LeaseToken { chance.element(of: fleet.allLeases.map(\.token)) ?? forgedToken() }

  private func tokens() -> [LeaseToken] { (0..<chance.below(9)).map { _ in token() } }

  private func forgedToken() -> LeaseToken { LeaseToken(chance.bits | 1 << 40) }

  private func number() -> UInt64 {
    chance.element(of: [0, 1, 1_000, 1 << 40, .max]) ?? 0
  }
}
