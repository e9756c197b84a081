internal import HalyardConcurrency
internal import Posix

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

/// Calls side by side, each with a seat for its result. The seats stand in a line; in the order of completion they are
/// all the same.
private struct ManyCalls<Links: AsyncSequence & Sendable, Output: Sendable>: Sendable
where Links.Element: LinkConvertible {
  typealias Seat = TaskChannel<CallOutcome<Output>>

  let order: ResultOrder
  let limit: Int
  /// Whether a call that fails ends the others.
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
    let fault = Lock<(any Error)?>(nil)
    do {
      // One more place, for the task that starts the calls.
      try await withTaskScope(limit: min(limit, .max - 1) + 1) { scope in
        let line = TaskChannel<Seat>(capacity: .limited(limit))
        try await scope.start { try await start(links, in: scope, line, fault) }
        while let seat = try await line.receive() {
          if let outcome = try await seat.receive() { try await take(outcome) }
        }
      }
    } catch {
      // A failure ends the line, and so this body, before the scope knows of it.
      throw fault.withLock { $0 } ?? error
    }
    if let fault = fault.withLock({ $0 }) { throw fault }
  }

  private func start(
    _ links: Links, in scope: TaskScope, _ line: TaskChannel<Seat>, _ fault: Lock<(any Error)?>
  ) async throws {
    defer { line.close() }
    let common = Seat(capacity: .unbounded)
    var (links, index) = (links.makeAsyncIterator(), 0)
    do {
      while let link = try await links.next(isolation: #isolation) {
        let (seat, place) = (order == .source ? Seat(capacity: 1) : common, index)
        try await line.send(seat)
        try await scope.start {
          let result = await ask(link).result()
          if stopsAtFailure, case .failure(let error) = result {
            note(error, in: fault)
            line.cancel()
            seat.close()
            throw error
          }
          _ = try seat.offer(CallOutcome(index: place, url: link.linkText, result: result))
        }
        index += 1
      }
    } catch {
      note(error, in: fault)
      guard stopsAtFailure else { return }
      line.cancel()
      throw error
    }
  }

  /// Keeps the first.
  private func note(_ error: any Error, in fault: Lock<(any Error)?>) {
    fault.withLock { $0 = $0 ?? error }
  }
}
