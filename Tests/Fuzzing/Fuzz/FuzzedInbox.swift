import Pipeline
import Posix

/// Hands over one message after another, and then nothing for a while; its reader is cancelled at the end.
final class FuzzedInbox: Inbox {
  let address = Address("inproc://fuzzed")
  private let clock: SteppedClock
  /// Gives nothing to a receiver that does not wait for it.
  private let comesLate: Bool
  private let state: Lock<State>

  private struct State: Sendable {
    var messages: ArraySlice<Envelope>
    var silences = 4
  }

  init(_ messages: [Envelope], _ clock: SteppedClock, comesLate: Bool = false) {
    self.clock = clock
    self.comesLate = comesLate
    state = Lock(State(messages: messages[...]))
  }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    if comesLate, let moment, moment <= clock.now { return [] }
    let next = try state.withLock { state in
      if let message = state.messages.popFirst() { return message as Envelope? }
      guard state.silences > 0 else { throw CancellationError() }
      state.silences -= 1
      return nil
    }
    clock.step(byMilliseconds: next == nil ? 6_000 : 7)
    return next.map { [.envelope($0)] } ?? []
  }

  func note(_ notice: LaneNotice) async {}
  func close() async {}
}

/// There is no peer at the other end. What is sent must fit into frames.
struct DeafTransport: Transport {
  struct DeafOutlet: Outlet {
    func send(_ burst: [Envelope]) async throws {
      for envelope in burst { _ = try EnvelopeCodec.encode(envelope) }
    }

    func receiverSpoke() {}
    func close() async {}
  }

  func bind(_ address: Address) async throws -> any Inbox { throw TransportError.addressInUse(address) }

  func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet { DeafOutlet() }
}

struct NoNetwork: Fetching {
  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    .failure(Failure(.dns, at: .dns, "fetch \(request.url): no such host"))
  }
}

/// Time goes by while a task receives or sleeps.
final class SteppedClock: PipelineClock {
  private let moment = Lock(Moment(unixMilliseconds: 1_700_000_000_000))

  var now: Moment { moment.withLock { $0 } }

  func step(byMilliseconds milliseconds: Int64) {
    moment.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
  }

  func sleep(until moment: Moment) async throws {
    try Task.checkCancellation()
    self.moment.withLock { $0 = max($0, moment) }
  }
}
