internal import CPosix

/// Tells one thread which of many sockets are ready, for as long as they are.
///
/// For tasks there is `ReadinessWatcher`, which costs more for each wait.
public final class Poller: Sendable {
  /// What a socket is ready for, or watched for.
  public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    public static let reading = Readiness(rawValue: 1)
    public static let writing = Readiness(rawValue: 2)
    /// The peer sends nothing more. It may still read, but for HTTP it has given up.
    public static let peerFinished = Readiness(rawValue: 4)
    /// Always watched for.
    public static let broken = Readiness(rawValue: 8)
    /// Told once, and then nothing until what is watched for is said anew.
    static let once = Readiness(rawValue: 16)
  }

  public struct Event: Sendable {
    public let id: UInt64
    public let readiness: Readiness
  }

  private let epoll: Descriptor

  public init() throws(PosixError) {
    epoll = try Descriptor(owning: cposix_epoll_create(), from: "epoll_create1")
  }

  /// Watches something until it is closed.
  public func add(_ source: some Pollable, id: UInt64, for wanted: Readiness = .reading) throws(PosixError) {
    try watch(source.descriptor.number, id, wanted, isNew: true)
  }

  /// - Parameter wanted: Empty to be told of nothing for a while.
  public func change(_ source: some Pollable, id: UInt64, to wanted: Readiness) throws(PosixError) {
    try watch(source.descriptor.number, id, wanted, isNew: false)
  }

  func watch(_ descriptor: Int32, _ id: UInt64, _ wanted: Readiness, isNew: Bool) throws(PosixError) {
    guard cposix_epoll_watch(epoll.number, descriptor, id, wanted.rawValue, isNew ? 1 : 0) == 0 else {
      throw PosixError(call: "epoll_ctl")
    }
  }

  func remove(_ descriptor: Int32) { _ = cposix_epoll_remove(epoll.number, descriptor) }

  /// Waits until something is ready, at most so many milliseconds, -1 being for ever; at most 64 are told of at once.
  public func wait(milliseconds: Int32) -> [Event] {
    ready(within: milliseconds).map { Event(id: $0.id, readiness: Readiness(rawValue: $0.what)) }
  }

  func ready(within milliseconds: Int32) -> [cposix_event] {
    unsafe [cposix_event](unsafeUninitializedCapacity: 64) { buffer, initialized in
      let count = unsafe cposix_epoll_wait(epoll.number, buffer.baseAddress, 64, milliseconds)
      initialized = Int(max(0, count))
    }
  }
}

/// What a `Poller` can watch.
public protocol Pollable {
  var descriptor: Descriptor { get }
}

extension StreamSocket: Pollable {}
extension Listener: Pollable {}

/// Wakes the thread that waits with a `Poller`.
public final class Bell: Pollable, Sendable {
  public let descriptor: Descriptor

  public init() throws(PosixError) {
    descriptor = try Descriptor(owning: cposix_event_counter(0, 0), from: "eventfd")
  }

  public func ring() {
    addOne(to: descriptor)
  }

  /// Makes it ready to be rung again.
  public func silence() {
    _ = try? readChunk(descriptor.number, limit: 8)
  }
}

/// One thread that waits for many descriptors on behalf of tasks, which must not block the threads they run on.
public final class ReadinessWatcher: Sendable {
  private let table: WatchTable

  public init() throws(PosixError) {
    let table = try WatchTable()
    self.table = table
    _ = try Thread.start(name: "readiness") {
      while let ready = table.waitForReady() {
        for event in ready { table.flag(of: event.id)?.wake(isAnswer: true) }
      }
    }
  }

  deinit {
    table.stop.raise()
  }

  /// Watches a descriptor that must stay open until the watch is stopped.
  public func watch(_ descriptor: Int32) throws(PosixError) -> Watch {
    try Watch(descriptor, in: table, of: self)
  }
}

/// Which watch an event of the kernel's belongs to. The thread keeps it, so the watcher itself can go.
final class WatchTable: Sendable {
  private struct Flags: Sendable {
    var last = WatchTable.stopID
    var byID: [UInt64: WakeFlag] = [:]
  }

  private static let stopID: UInt64 = 0

  let stop: StopSignal
  private let poller: Poller
  private let flags = Lock(Flags())

  init() throws(PosixError) {
    (stop, poller) = (try StopSignal(), try Poller())
    try poller.watch(stop.descriptor.number, Self.stopID, .reading, isNew: true)
  }

  /// Watches nothing yet.
  func add(_ descriptor: Int32, _ flag: WakeFlag) throws(PosixError) -> UInt64 {
    let id = flags.withLock { flags in
      flags.last += 1
      flags.byID[flags.last] = flag
      return flags.last
    }
    do throws(PosixError) {
      try poller.watch(descriptor, id, .once, isNew: true)
    } catch {
      flags.withLock { $0.byID[id] = nil }
      throw error
    }
    return id
  }

  /// Tells once when the descriptor is readable, at once if it is. False when it is not open any more.
  func arm(_ descriptor: Int32, _ id: UInt64) -> Bool {
    (try? poller.watch(descriptor, id, [.reading, .once], isNew: false)) != nil
  }

  func remove(_ descriptor: Int32, _ id: UInt64) {
    poller.remove(descriptor)
    flags.withLock { $0.byID[id] = nil }
  }

  func flag(of id: UInt64) -> WakeFlag? {
    flags.withLock { $0.byID[id] }
  }

  /// Nil when the watcher is gone.
  func waitForReady() -> [cposix_event]? {
    let ready = poller.ready(within: -1)
    return ready.contains { $0.id == Self.stopID } ? nil : ready
  }
}
