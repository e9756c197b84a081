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
