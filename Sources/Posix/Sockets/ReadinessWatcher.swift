internal import CPosix

/// One thread that waits for many descriptors on behalf of tasks, which must not block the threads they run on.
public final class ReadinessWatcher: Sendable {
  private let table: WatchTable

  public init() throws(PosixError) {
    let table = try WatchTable()
    self.table = table
    _ = try Thread.start(name: "readiness") {
      while let ready = table.waitForReady() {
        for id in ready { table.flag(of: id)?.fired() }
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
  private let epoll: Descriptor
  private let flags = Lock(Flags())

  init() throws(PosixError) {
    stop = try StopSignal()
    epoll = try Descriptor(owning: cposix_epoll_create(), from: "epoll_create1")
    guard cposix_epoll_add_for_good(epoll.number, stop.descriptor.number, Self.stopID) == 0 else {
      throw PosixError(call: "epoll_ctl")
    }
  }

  /// Watches nothing yet.
  func add(_ descriptor: Int32, _ flag: WakeFlag) throws(PosixError) -> UInt64 {
    let id = flags.withLock { flags in
      flags.last += 1
      flags.byID[flags.last] = flag
      return flags.last
    }
    guard cposix_epoll_add(epoll.number, descriptor, id) == 0 else {
      let error = PosixError(call: "epoll_ctl")
      flags.withLock { $0.byID[id] = nil }
      throw error
    }
    return id
  }

  /// Tells once when the descriptor is readable, at once if it is. False when it is not open any more.
  func arm(_ descriptor: Int32, _ id: UInt64) -> Bool {
    cposix_epoll_arm(epoll.number, descriptor, id) == 0
  }

  func remove(_ descriptor: Int32, _ id: UInt64) {
    _ = cposix_epoll_remove(epoll.number, descriptor)
    flags.withLock { $0.byID[id] = nil }
  }

  func flag(of id: UInt64) -> WakeFlag? {
    flags.withLock { $0.byID[id] }
  }

  /// Nil when the watcher is gone.
  func waitForReady() -> [UInt64]? {
    while true {
      let ready = unsafe [UInt64](unsafeUninitializedCapacity: 64) { buffer, initialized in
        initialized = Int(max(0, unsafe cposix_epoll_wait(epoll.number, buffer.baseAddress, 64)))
      }
      if ready.contains(Self.stopID) { return nil }
      // Empty after a signal.
      if !ready.isEmpty { return ready }
    }
  }
}
