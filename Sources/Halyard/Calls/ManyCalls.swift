internal import HalyardConcurrency

/// In which order the results of many calls come.
public enum ResultOrder: Hashable, Sendable {
  /// As their links were given.
  case source
  /// As they end.
  case completion
}

/// What came of one of many calls.
public struct CallOutcome<Output: Sendable>: Sendable {
  /// The link's place among the others, from 0.
  public var index: Int
  /// The link.
  public var url: String
  /// What was found, or why nothing was.
  public var result: Result<Output, HalyardError>

  /// For fakes, such as those of tests; the client makes its own.
  public init(index: Int, url: String, result: Result<Output, HalyardError>) {
    self.index = index
    self.url = url
    self.result = result
  }
}

extension HalyardClient {
  /// Asks for many links, and yields one outcome for each.
  ///
  /// Nothing starts before the stream is iterated. Leaving the loop, and cancelling its task, cancels what is under way.
  ///
  /// ```swift
  /// for try await outcome in client.results(of: links, in: .completion, { $0.title($1) }) {
  ///   print(outcome.url, try? outcome.result.get().title ?? "")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - limit: Calls at a time, at least 1; `.max` for any number. In the order of the source it also bounds results that wait for earlier ones.
  ///   - ask: What to ask of each link.
  public func results<Output: Sendable>(
    of urls: some Sequence<String> & Sendable, in order: ResultOrder = .source, atOnce limit: Int = 256,
    _ ask: @escaping @Sendable (HalyardClient, String) -> HalyardCall<Output>
  ) -> ServiceStream<CallOutcome<Output>, Never> {
    precondition(limit > 0, "\(limit) calls at a time answer nothing")
    let service = StreamService<Void, CallOutcome<Output>, Never>.answering {
      _, emit throws(ServiceError<Never>) in
      do {
        try await ManyCalls(order: order, limit: limit).run(urls, { ask(self, $0) }, into: emit)
      } catch {
        throw .cancelled
      }
    }
    return service(())
  }
}

/// Calls side by side, each with a seat for its result. The seats stand in a line; in the order of completion they are
/// all the same.
private struct ManyCalls<Output: Sendable> {
  typealias Seat = TaskChannel<CallOutcome<Output>>

  var order: ResultOrder
  var limit: Int

  func run(
    _ urls: some Sequence<String> & Sendable, _ ask: @escaping @Sendable (String) -> HalyardCall<Output>,
    into emit: StreamEmitter<CallOutcome<Output>, Never>
  ) async throws {
    // One more place, for the task that starts the calls.
    try await withTaskScope(limit: min(limit, .max - 1) + 1) { [order, limit] scope in
      let line = TaskChannel<Seat>(capacity: .limited(limit))
      let common = Seat(capacity: .unbounded)
      try await scope.start {
        defer { line.close() }
        for (index, url) in urls.enumerated() {
          let seat = order == .source ? Seat(capacity: 1) : common
          try await line.send(seat)
          try await scope.start {
            _ = try seat.offer(CallOutcome(index: index, url: url, result: await ask(url).result()))
          }
        }
      }
      while let seat = try await line.receive() {
        if let outcome = try await seat.receive() { try await emit(outcome) }
      }
    }
  }
}
