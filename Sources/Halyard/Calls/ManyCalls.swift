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
  /// The link, as text.
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
  public func results<Links: Sequence & Sendable, Output: Sendable>(
    of links: Links, in order: ResultOrder = .source, atOnce limit: Int = 256,
    _ ask: @escaping @Sendable (HalyardClient, Links.Element) -> HalyardCall<Output>
  ) -> ServiceStream<CallOutcome<Output>, Never> where Links.Element: LinkConvertible {
    results(of: GivenLinks(links: links), in: order, atOnce: limit, ask)
  }

  /// Asks for links as they come, such as from a channel or from the lines of a file, and yields one outcome for each.
  ///
  /// Links are taken as there is room for their calls, so a source that is read slowly is not read ahead. If the source
  /// throws, the outcomes of its links come first, and then its error.
  ///
  /// - Parameters:
  ///   - links: Iterated once by each iteration of the stream, beside it.
  ///   - limit: Calls at a time, at least 1; see `results(of:in:atOnce:_:)`.
  ///   - ask: What to ask of each link.
  public func results<Links: AsyncSequence & Sendable, Output: Sendable>(
    of links: Links, in order: ResultOrder = .source, atOnce limit: Int = 256,
    _ ask: @escaping @Sendable (HalyardClient, Links.Element) -> HalyardCall<Output>
  ) -> ServiceStream<CallOutcome<Output>, Links.Failure> where Links.Element: LinkConvertible {
    let calls = ManyCalls<Links, Output>(order: order, limit: limit, stopsAtFailure: false) { ask(self, $0) }
    return ServiceStream(cancellation: .cancelled) { outcomes throws(ServiceError<Links.Failure>) in
      do {
        try await calls.run(links) { try await outcomes.send($0) }
      } catch {
        guard !error.isCancellation, let error = error as? Links.Failure else { throw .cancelled }
        throw .failed(error)
      }
    }
  }

  /// Asks for many links, and yields the values. The first failure ends it, and cancels the rest.
  ///
  /// A failure is thrown as soon as it is known, also in the order of the source: values that wait for earlier ones are
  /// dropped then.
  ///
  /// ```swift
  /// for try await page in client.values(of: links, { $0.title($1) }) { print(page.title) }
  /// ```
  ///
  /// - Parameters:
  ///   - limit: Calls at a time, at least 1; see `results(of:in:atOnce:_:)`.
  ///   - ask: What to ask of each link.
  public func values<Links: Sequence & Sendable, Output: Sendable>(
    of links: Links, in order: ResultOrder = .source, atOnce limit: Int = 256,
    _ ask: @escaping @Sendable (HalyardClient, Links.Element) -> HalyardCall<Output>
  ) -> CallStream<Output> where Links.Element: LinkConvertible {
    values(of: GivenLinks(links: links), in: order, atOnce: limit, ask)
  }

  /// Asks for links as they come, and yields the values. The first failure ends it, and cancels the rest.
  ///
  /// An error of the source is such a failure too: a ``HalyardError`` as it is, anything else as
  /// ``HalyardError/Kind/underlying``.
  public func values<Links: AsyncSequence & Sendable, Output: Sendable>(
    of links: Links, in order: ResultOrder = .source, atOnce limit: Int = 256,
    _ ask: @escaping @Sendable (HalyardClient, Links.Element) -> HalyardCall<Output>
  ) -> CallStream<Output> where Links.Element: LinkConvertible {
    let calls = ManyCalls<Links, Output>(order: order, limit: limit, stopsAtFailure: true) { ask(self, $0) }
    return CallStream(cancellation: .cancelledByCaller) { values throws(HalyardError) in
      do {
        try await calls.run(links) { try await values.send(try $0.result.get()) }
      } catch {
        throw error.isCancellation ? .cancelledByCaller : HalyardError(thrown: error)
      }
    }
  }
}

/// Links that are there already.
private struct GivenLinks<Links: Sequence & Sendable>: AsyncSequence, Sendable {
  let links: Links

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(links: links.makeIterator()) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var links: Links.Iterator

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Links.Element? {
      links.next()
    }
  }
}

/// Calls side by side. Each takes a place before it begins, and gives it back when its outcome is handed on.
private struct ManyCalls<Links: AsyncSequence & Sendable, Output: Sendable>: Sendable
where Links.Element: LinkConvertible {
  /// As calls end; behind them what the source of the links has thrown.
  typealias Outcomes = TaskChannel<Result<CallOutcome<Output>, any Error>>

  let order: ResultOrder
  let limit: Int
  /// Whether the first failure, of a call or of the source, ends the others.
  let stopsAtFailure: Bool
  let ask: @Sendable (Links.Element) -> HalyardCall<Output>

  init(
    order: ResultOrder, limit: Int, stopsAtFailure: Bool,
    _ ask: @escaping @Sendable (Links.Element) -> HalyardCall<Output>
  ) {
    precondition(limit > 0, "\(limit) calls at a time answer nothing")
    (self.order, self.limit, self.stopsAtFailure, self.ask) = (order, limit, stopsAtFailure, ask)
  }

  /// Throws what the source of the links throws, once all outcomes of its links have been handed on; or the first failure, if
  /// that ends the others.
  func run(_ links: Links, into take: (CallOutcome<Output>) async throws -> Void) async throws {
    try await withTaskScope { scope in
      let places = TaskChannel<Void>(capacity: .limited(limit))
      // There are no more than places.
      let outcomes = Outcomes(capacity: .unbounded)
      async let asking: Void = askAll(links, in: scope, places, outcomes)
      var (early, next) = ([Int: CallOutcome<Output>](), 0)
      while let outcome = try await outcomes.receive()?.get() {
        if stopsAtFailure, case .failure(let error) = outcome.result { throw error }
        early[order == .source ? outcome.index : next] = outcome
        while let outcome = early.removeValue(forKey: next) {
          next += 1
          _ = places.takeNow(upTo: 1)
          try await take(outcome)
        }
      }
      await asking
    }
  }

  private func askAll(
    _ links: Links, in scope: TaskScope, _ places: TaskChannel<Void>, _ outcomes: Outcomes
  ) async {
    var (links, index) = (links.makeAsyncIterator(), 0)
    do {
      while let link = try await links.next(isolation: #isolation) {
        try await places.send(())
        let place = index
        try await scope.start {
          let result = await ask(link).result()
          _ = try? outcomes.offer(.success(CallOutcome(index: place, url: link.linkText, result: result)))
          if stopsAtFailure, case .failure = result { scope.cancel() }
        }
        index += 1
      }
      try await scope.drain()
      outcomes.close()
    } catch {
      if !stopsAtFailure { try? await scope.drain() }
      _ = try? outcomes.offer(.failure(error))
      scope.cancel()
    }
  }
}
