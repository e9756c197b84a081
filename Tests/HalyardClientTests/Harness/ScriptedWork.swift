import Halyard
import HalyardConcurrency
import Posix

/// Work that does what a test tells it, as a service of each style in its own right.
final class ScriptedWork: Sendable {
  enum Script: Sendable {
    case value
    case failure
    /// Ends itself as cancelled.
    case cancellation
    /// Answers when it is told, or cancelled.
    case waits
  }

  private struct State: Sendable {
    var started = 0
    var cancelled = 0
    var waiting: [Int: @Sendable (Answer) -> Void] = [:]
    var isTold = false
  }

  private let script: Script
  private let answersTwice: Bool
  private let isSilentWhenCancelled: Bool
  private let told = TaskChannel<Void>(capacity: .conflating)
  private let state = Lock(State())

  /// - Parameters:
  ///   - answersTwice: If its style allows that.
  ///   - isSilentWhenCancelled: Does not call back any more, as many do that are cancelled.
  init(_ script: Script, answersTwice: Bool = false, isSilentWhenCancelled: Bool = false) {
    self.script = script
    self.answersTwice = answersTwice
    self.isSilentWhenCancelled = isSilentWhenCancelled
  }

  var started: Int { state.withLock { $0.started } }
  var cancelled: Int { state.withLock { $0.cancelled } }

  func service(_ style: Style) -> StyledService {
    switch style {
    case .async: .async(.answering { input throws(ServiceError<Broken>) in try await self.run(input) })
    case .callback: .callback(.answering { input, answer in self.start(input, answer) })
    case .stream:
      .stream(
        .answering { input, emit throws(ServiceError<Broken>) in try await emit(try await self.run(input)) })
    }
  }

  /// Lets work that waits answer.
  func tell() {
    _ = try? told.offer(())
    let waiting = state.withLock { state in
      state.isTold = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for (input, answer) in waiting { answer(.success("\(input)")) }
  }

  private func run(_ input: Int) async throws(ServiceError<Broken>) -> String {
    state.withLock { $0.started += 1 }
    switch script {
    case .value: return "\(input)"
    case .failure: throw .failed(Broken(input: input))
    case .cancellation: throw .cancelled
    case .waits:
      do throws(TaskChannelError) { _ = try await told.receive() } catch {
        state.withLock { $0.cancelled += 1 }
        throw .cancelled
      }
      return "\(input)"
    }
  }

  private func start(_ input: Int, _ answer: @escaping @Sendable (Answer) -> Void) -> any CallHandle {
    state.withLock { $0.started += 1 }
    let result: Answer? =
      switch script {
      case .value: .success("\(input)")
      case .failure: .failure(.failed(Broken(input: input)))
      case .cancellation: .failure(.cancelled)
      case .waits: nil
      }
    if let result {
      answer(result)
      if answersTwice { answer(.success("once more")) }
    } else {
      let isTold = state.withLock { state in
        if !state.isTold { state.waiting[input] = answer }
        return state.isTold
      }
      if isTold { answer(.success("\(input)")) }
    }
    return Stop(work: self, input: input)
  }

  private struct Stop: CallHandle {
    let work: ScriptedWork
    let input: Int

    func cancel() {
      let answer = work.state.withLock { state in
        state.cancelled += 1
        return state.waiting.removeValue(forKey: input)
      }
      if !work.isSilentWhenCancelled { answer?(.failure(.cancelled)) }
    }
  }
}
