import Posix

/// What handing on and calling cost, for scripts/bench. Nothing is judged.
@main
enum Main {
  static func main() async throws {
    // Not on the main thread, which would be woken for every answer.
    try await Task.detached {
      try await ChannelBench.run()
      try await ScopeBench.run()
      try await ServiceBench.run()
      try await CallBench.run()
    }.value
  }

  /// Prints what one of many took; the best of three runs, because others use the machine too.
  static func measure(_ name: String, count: Int, _ body: () async throws -> Void) async throws {
    var best = Int64.max
    for _ in 0..<3 {
      let start = SystemTime.monotonicMicroseconds
      try await body()
      best = min(best, max(1, SystemTime.monotonicMicroseconds - start))
    }
    let nanoseconds = best * 1_000 / Int64(count)
    let rate = Int64(count) * 1_000_000 / best
    print("\(padded(name, to: 58))\(padded(nanoseconds, to: 7)) ns\(padded(rate, to: 12)) a second")
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func padded(_ number: Int64, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - "\(number)".count)) + "\(number)"
  }
}
