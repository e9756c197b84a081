internal import CPosix

/// How a process ended.
public enum ChildEnding: Hashable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)
}

/// A process of our own, made with `posix_spawn`: a fork would copy a process full of threads.
///
/// Its standard input ends when this process does, however that happens, and it shares the other two streams, unless it
/// is given others. It has a process group of its own, so that a Ctrl-C in a terminal is ours to pass on.
public final class ChildProcess: Sendable {
  /// What its streams lead to instead.
  public struct Streams: Sendable {
    public var input: Descriptor?
    public var output: Descriptor?
    public var messages: Descriptor?

    public init(input: Descriptor? = nil, output: Descriptor? = nil, messages: Descriptor? = nil) {
      (self.input, self.output, self.messages) = (input, output, messages)
    }
  }

  public let id: Int32
  /// While it is open the child's standard input has not ended; nil when another part of the program owns it.
  private let lifeline: Descriptor?
  private let isRunning = Lock(true)
  private let ending = Promise<ChildEnding>()

  /// - Parameters:
  ///   - arguments: With the program's name in front.
  ///   - environment: Words such as `TZ=UTC`; none for our own.
  ///   - inOwnSession: Lets it outlive our terminal.
  ///   - isStopped: Called when a signal stops it, and when it goes on.
  public static func start(
    path: String, arguments: [String], environment: [String] = [], streams: Streams = Streams(),
    inOwnSession: Bool = false, isStopped: @escaping @Sendable (Bool) -> Void = { _ in }
  ) throws(PosixError) -> ChildProcess {
    let life = streams.input == nil ? try Descriptor.pipe() : nil
    let ends = [streams.input ?? life?.reading, streams.output, streams.messages]
    var id: Int32 = 0
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    let code = unsafe cposix_spawn(
      &id, path, &words, &variables, ends.map { $0?.number ?? -1 }, inOwnSession ? 1 : 0)
    withExtendedLifetime(ends) {}
    for index in unsafe words.indices { unsafe free(words[index]) }
    for index in unsafe variables.indices { unsafe free(variables[index]) }
    guard code == 0 else { throw PosixError(call: "posix_spawn", code: code) }
    let child = ChildProcess(id: id, lifeline: life?.writing)
    _ = try Thread.start(name: "child \(id)") { child.waitForEnd(isStopped) }
    return child
  }

  private init(id: Int32, lifeline: Descriptor?) {
    self.id = id
    self.lifeline = lifeline
  }

  /// Sends a signal; nothing once the child has ended, because another process may have its id by then.
  public func send(_ signal: Int32) {
    isRunning.withLock { if $0 { kill(id, signal) } }
  }

  /// Returns when it has ended.
  public func end() async -> ChildEnding { await ending.value }

  /// The id stays taken until the child is reaped, which happens under the lock.
  private func waitForEnd(_ isStopped: (Bool) -> Void) {
    while case let change = Int(cposix_wait_for_change(id)), change != CPOSIX_CHILD_ENDED {
      isStopped(change == CPOSIX_CHILD_STOPPED)
    }
    let status = isRunning.withLock { isRunning in
      isRunning = false
      return cposix_reap(id)
    }
    ending.keep(status >= 0 ? .exited(status) : .killed(signal: -status))
  }
}

/// A process that is not a child of ours. It stays the same one: its id may be another's once it has ended.
public final class OtherProcess: Sendable {
  public let id: Int32
  private let descriptor: Descriptor

  /// nil when there is no such process.
  public init?(_ id: Int32) throws(PosixError) {
    self.id = id
    do throws(PosixError) {
      descriptor = try Descriptor(owning: cposix_open_process(id), from: "pidfd_open")
    } catch {
      if error.code == ESRCH { return nil }
      throw error
    }
  }

  /// Nothing happens once it has ended.
  public func send(_ signal: Int32) {
    _ = cposix_signal_process(descriptor.number, signal)
  }

  /// Blocks until it has ended (true) or the time is over (false).
  public func hasEnded(within milliseconds: Int32) throws(PosixError) -> Bool {
    try wait(for: descriptor.number, .reading, milliseconds: milliseconds)
  }
}

/// Ends the process without waiting for threads that are blocked.
public func exitProcess(_ status: Int32) -> Never {
  _exit(status)
}

/// Sends a signal to this process; to whichever thread takes it, because the calling one may have it blocked.
public func raiseSignal(_ signal: Int32) {
  kill(getpid(), signal)
}
