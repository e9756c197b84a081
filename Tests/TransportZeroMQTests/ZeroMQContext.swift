import Assembly
import Pipeline
import PipelineTesting
import Posix
import TransportZeroMQ

/// A transport with a log that can be awaited. Without keys only where a test says so, as everywhere.
struct TestContext {
  let transport: ZeroMQTransport
  let log = RecordingLog()

  init(_ settings: ZeroMQSettings = ZeroMQSettings(), laneClock: any PipelineClock = SystemClock()) throws {
    transport = try ZeroMQTransport(settings, clock: SystemClock(), laneClock: laneClock, log: log)
  }
}

/// Remembers messages, and hands them to whoever awaits one.
final class RecordingLog: Log {
  private let stream = AsyncStream.makeStream(of: String.self)
  private let counts = Lock<[String: Int]>([:])

  func count(of message: String) -> Int { counts.withLock { $0[message, default: 0] } }

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    counts.withLock { $0["\(message)", default: 0] += 1 }
    stream.continuation.yield("\(message)")
  }

  /// Waits for a message; those before it are forgotten.
  func has(_ message: String) async -> Bool {
    for await recorded in stream.stream where recorded == message { return true }
    return false
  }
}

/// Messages that can be told apart.
func numbered(_ numbers: UInt64...) -> [Envelope] {
  numbers.map { Envelope(.drain, laneSequence: $0) }
}

extension Inbox {
  /// The numbers of the next messages, exactly so many.
  func numbers(_ count: Int) async throws -> [UInt64] {
    var taken: [UInt64] = []
    while taken.count < count {
      taken += try await receive(atMost: count - taken.count, until: nil).envelopes.map(\.laneSequence)
    }
    return taken
  }

  func notice() async throws -> LaneNotice? {
    guard case .lane(let notice) = try await receive(atMost: 1, until: nil).first else { return nil }
    return notice
  }
}
