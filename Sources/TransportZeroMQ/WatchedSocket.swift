import Pipeline
import Posix
import ZeroMQ

/// A socket, and the place to wait until it is worth looking at it again. Both belong to one actor.
final class WatchedSocket {
  let socket: Socket
  let watch: Watch

  init(_ socket: consuming Socket, _ watcher: ReadinessWatcher) throws {
    self.socket = socket
    watch = try watcher.watch(try self.socket.descriptor())
  }

  deinit {
    // Before the socket goes, and with it its descriptor.
    watch.stop()
  }
}

/// A socket that is watched from outside, too: its monitor tells what happens to it.
final class MonitoredSocket {
  let main: WatchedSocket
  let monitor: WatchedSocket

  /// - Parameter name: Unique in the process, for the monitor's address.
  init(_ socket: consuming Socket, events: LaneEvents, name: String, in shared: ZeroMQContext) throws {
    let endpoint = "inproc://monitor-\(name)"
    try socket.startMonitor(events, at: endpoint)
    let reader = try Socket(.pair, in: shared.context)
    // The library's own thread would wait for room.
    try reader.set(.receiveHighWaterMark(0))
    try reader.set(.linger(0))
    try reader.connect(endpoint)
    main = try WatchedSocket(socket, shared.watcher)
    monitor = try WatchedSocket(reader, shared.watcher)
  }

  deinit {
    main.socket.stopMonitor()
  }

  /// All events since the last call.
  func takeEvents() -> [LaneEvent] {
    var events: [LaneEvent] = []
    repeat {
      while let event = try? monitor.socket.receiveEvent() { events.append(event) }
    } while (try? monitor.socket.readiness().contains(.toReceive)) == true
    return events
  }
}

/// Frames that came in and wait for their role: so many bytes at most, from all senders together. A value.
///
/// Roles give credit, so it fills up only when a peer sends without credit. Then large frames are dropped, and
/// small ones have a part of the room to themselves, so that a fleet goes on under a flood of large ones.
struct WaitingFrames<Frame> {
  /// What a frame takes beside its bytes.
  private static var overhead: Int { 64 }

  let room: Int
  private var frames = FIFO<(frame: Frame, bytes: Int)>()
  private(set) var bytes = 0
  /// In all, since the start.
  var dropped = 0

  init(room: Int) {
    self.room = room
  }

  var isEmpty: Bool { frames.isEmpty }

  /// The size of the largest frame that there is room for; negative when there is none.
  var largest: Int {
    let free = room - bytes - Self.overhead
    return max(free - room / 4, min(free, room / 4_096))
  }

  mutating func add(_ frame: Frame, bytes size: Int) {
    bytes += size + Self.overhead
    frames.append((frame, size))
  }

  mutating func popFirst() -> Frame? {
    guard let first = frames.popFirst() else { return nil }
    bytes -= first.bytes + Self.overhead
    return first.frame
  }
}
