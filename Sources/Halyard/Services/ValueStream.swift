internal import HalyardConcurrency

/// Values, as they come, until they end or the stream throws.
///
/// Nothing starts before the first value is asked for. Each iteration does the work anew. The work is cancelled when the
/// iterating task is, and when the iterator is dropped, as by leaving a `for` loop early.
public struct ValueStream<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// How many values the work may be ahead of the iteration.
  var capacity: TaskChannelCapacity = 0
  /// What is thrown when the iterating task is cancelled.
  let cancellation: Failure
  /// Done anew by each iteration, beside it.
  let work: @Sendable (TaskChannel<Element>) async throws(Failure) -> Void

  /// Begins the work anew.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(state: .idle(self)) }

  /// One run of the work, which is cancelled when its iterator is dropped.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate enum State {
      case idle(ValueStream)
      case running(StreamRun<Element, Failure>)
      case over
    }

    fileprivate var state: State

    /// The next value; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      let run: StreamRun<Element, Failure>
      switch state {
      case .idle(let stream):
        guard !Task.isCancelled else {
          state = .over
          throw stream.cancellation
        }
        run = StreamRun(stream)
      case .running(let current): run = current
      case .over: return nil
      }
      // Unless there is one more value.
      state = .over
      guard let value = try await run.next() else { return nil }
      state = .running(run)
      return value
    }
  }
}

/// The work of one iteration.
private final class StreamRun<Element: Sendable, Failure: Error>: Sendable {
  private let channel: TaskChannel<Element>
  private let cancellation: Failure
  private let task: Task<Result<Void, Failure>, Never>

  init(_ stream: ValueStream<Element, Failure>) {
    let channel = TaskChannel<Element>(capacity: stream.capacity)
    self.channel = channel
    cancellation = stream.cancellation
    task = Task {
      defer { channel.close() }
      do throws(Failure) { return .success(try await stream.work(channel)) } catch { return .failure(error) }
    }
  }

  deinit {
    stop()
  }

  /// The next value, or nil at the end. Returns only after the work has ended when there is no value.
  func next() async throws(Failure) -> Element? {
    do throws(TaskChannelError) {
      if let value = try await channel.receive() { return value }
    } catch {
      stop()
      _ = await task.value
      throw cancellation
    }
    try await task.value.get()
    return nil
  }

  private func stop() {
    task.cancel()
    channel.cancel()
  }
}
