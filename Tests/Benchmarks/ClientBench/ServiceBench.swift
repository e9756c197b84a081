import Halyard
import HalyardConcurrency

/// One call after another of services that answer at once, in every style, from every style.
enum ServiceBench {
  private static let count = 100_000

  private struct Done: CallHandle {
    func cancel() {}
  }

  static func run() async throws {
    print("service: one call, from asking to the answer")
    let function = AsyncService<Int, Int, Never> { number in number }
    let callback = CallbackService<Int, Int, Never> { number, answer in
      answer(.success(number))
      return Done()
    }
    let stream = StreamService<Int, Int, Never>.answering { number, emit throws(ServiceError<Never>) in
      try await emit(number)
    }
    try await measure("async", function.asAsync(), function.asCallback(), function.asStream())
    try await measure("callback", callback.asAsync(), callback.asCallback(), callback.asStream())
    try await measure("stream", stream.asAsync(), stream.asCallback(), stream.asStream())
  }

  private static func measure(
    _ source: String, _ function: AsyncService<Int, Int, Never>, _ callback: CallbackService<Int, Int, Never>,
    _ stream: StreamService<Int, Int, Never>
  ) async throws {
    try await Main.measure("\(source) as async", count: count) {
      for number in 0..<count { _ = try await function(number) }
    }
    try await Main.measure("\(source) as callback", count: count) {
      let answers = TaskChannel<Int>(capacity: .unbounded)
      for number in 0..<count {
        callback(number) { if case .success(let value) = $0 { _ = try? answers.offer(value) } }
        _ = try await answers.receive()
      }
    }
    try await Main.measure("\(source) as stream", count: count) {
      for number in 0..<count {
        for try await _ in stream(number) {}
      }
    }
  }
}
