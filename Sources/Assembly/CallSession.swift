import HalyardConcurrency
import Pipeline
import Posix
package import Roles

/// One life of the pipeline behind a client: a batch that is open until the end, in which every call is a job.
package final class CallSession: Sendable {
  private let pending: Lock<PendingCalls>
  /// Rings when there is a call to hand on.
  private let bell = TaskChannel<Void>(capacity: .conflating)
  private let unwanted = TaskChannel<UInt64>(capacity: .unbounded)
  private let rows = TaskChannel<[NumberedRow]>(capacity: 4)
  private let stopping = TaskChannel<Void>(capacity: .conflating)
  private let life = Lock<Task<Void, Never>?>(nil)

  private let answersAtOnce: Int

  /// How long what is under way may take to end.
  private static let farewell = Duration.seconds(2)

  init(maxCalls: Int, answersAtOnce: Int) {
    pending = Lock(PendingCalls(limit: maxCalls))
    self.answersAtOnce = answersAtOnce
  }

  func begin(at backend: any CallBackend) {
    // Detached: it serves all callers, and is not to have the priority of the first.
    life.withLock { $0 = Task.detached { await self.live(at: backend) } }
  }

  func add(
    _ draft: JobDraft, _ priority: CallPriority, _ answer: @escaping PendingCalls.Answer
  ) -> PendingCalls.Admission {
    let admission = pending.withLock { $0.add(draft, priority, answer) }
    // Refused when the session has just ended, and then the call is answered.
    if case .accepted = admission { _ = try? bell.offer(()) }
    return admission
  }

  /// Answers a call at once, and has its work end.
  func cancel(_ ticket: UInt64) {
    guard let call = pending.withLock({ $0.cancel(ticket) }) else { return }
    if let place = call.ordinal { _ = try? unwanted.offer(place) }
    call.answer(.failure(.cancelledByCaller))
  }

  /// Answers all calls, and has their work end.
  func stop() {
    end(.shutDown)
    _ = try? stopping.offer(())
  }

  package func ended() async {
    await life.withLock { $0 }?.value
  }

  /// Runs a producer until it ends, or the session is stopped.
  package func run(_ producer: Producer) async throws {
    try await withTaskScope { scope in
      defer { scope.cancel() }
      try await scope.start {
        while case let places = try await self.unwanted.receive(upTo: Self.mostCancelled), !places.isEmpty {
          await producer.cancel(places)
        }
      }
      try await scope.start {
        _ = try await self.stopping.receive()
        await producer.interrupt(everything: true, cause: "the client was shut down")
        try await Task.sleep(for: Self.farewell)
        await producer.abandon()
      }
      // Answered elsewhere: a callback may take long, and this is where the network is read.
      try await producer.run(self) { try await self.rows.send($0) }
    }
  }

  private func live(at backend: any CallBackend) async {
    let ending: CallFailure
    do {
      try await withTaskScope { scope in
        try await scope.start { await self.answerRows() }
        defer { self.rows.close() }
        try await backend.run(self)
      }
      ending = .shutDown
    } catch {
      ending = .ended(error)
    }
    await answerRows()
    end(ending)
  }

  private func answerRows() async {
    try? await withTaskScope(limit: answersAtOnce) { scope in
      while let burst = try await self.rows.receive() {
        for row in burst {
          guard self.answersAtOnce > 1 else {
            self.settle(row)
            continue
          }
          do { try await scope.start { self.settle(row) } } catch { self.settle(row) }
        }
      }
    }
  }

  /// Until its row is read, a call can be cancelled.
  private func settle(_ row: NumberedRow) {
    pending.withLock { $0.settle(row.ordinal) }?(.success(row.json))
  }

  private func end(_ failure: CallFailure) {
    for answer in pending.withLock({ $0.end() }) { answer(.failure(failure)) }
    bell.close()
  }

  /// Jobs that are cancelled by one message.
  private static let mostCancelled = 1_024
}

extension CallSession: JobFeed {
  package func next(atMost limit: Int) async throws -> [JobDraft]? {
    repeat {
      let drafts = pending.withLock { $0.submit(atMost: limit) }
      if !drafts.isEmpty { return drafts }
    } while (try? await bell.receive()) != nil
    return nil
  }
}
