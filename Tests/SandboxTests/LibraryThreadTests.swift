import CZeroMQ
import Glibc
import PipelineTesting
import Posix
import Testing

@testable import Sandbox
@testable import ZeroMQ

/// What code can do that has taken a confined process over, through the threads of libzmq, which serve every thread.
@Suite(.timeLimit(.minutes(2)))
struct LibraryThreadTests {
  /// As a decoder does it.
  private static func start(_ context: Context, toMaking connections: Connections) throws {
    let hasStarted = Lock(false)
    try Thread.start(name: "lanes") {
      let result: Result<Void, any Error> = Result {
        try Confinement.confineThread(toMaking: connections)
        try context.startThreads()
      }
      hasStarted.withLock { $0 = (try? result.get()) != nil }
    }.join()
    if !hasStarted.withLock({ $0 }) { exit(3) }
  }

  /// Whether libzmq's threads make a connection when a socket asks for it.
  private static func connects(_ type: Int32, of context: Context, to endpoint: String) -> Bool {
    // One that speaks to any server has no handshake.
    let success = type == ZMQ_STREAM ? ZMQ_EVENT_CONNECTED : ZMQ_EVENT_HANDSHAKE_SUCCEEDED
    let events = "inproc://events of \(endpoint)"
    guard let socket = unsafe zmq_socket(context.handle, type),
      let monitor = unsafe zmq_socket(context.handle, ZMQ_PAIR),
      unsafe zmq_socket_monitor(socket, events, success | ZMQ_EVENT_CONNECT_RETRIED) == 0,
      unsafe zmq_connect(monitor, events) == 0, unsafe zmq_connect(socket, endpoint) == 0
    else { exit(4) }
    var timeout: Int32 = 60_000
    unsafe zmq_setsockopt(monitor, ZMQ_RCVTIMEO, &timeout, MemoryLayout<Int32>.size)
    var event = [UInt8](repeating: 0, count: 6)
    guard unsafe zmq_recv(monitor, &event, event.count, 0) == 6 else { exit(5) }
    return Int32(event[0]) | Int32(event[1]) << 8 == success
  }

  @Test func `libzmq's threads on Unix sockets connect to no port and to no abstract socket`() async {
    await #expect(processExitsWith: .success) {
      let (listener, context) = (try Listener(), try Context(mostSockets: 64))
      try LibraryThreadTests.start(context, toMaking: .unix)
      let abstract = "ipc://@halyard-escape-\(getpid())"
      let inbox = try Socket(.pull, in: context)
      try inbox.bind(abstract)
      let confinement = try Confinement.confineThreads()
      let port = "tcp://127.0.0.1:\(listener.port)"
      if LibraryThreadTests.connects(ZMQ_STREAM, of: context, to: port) { exit(6) }
      if confinement.landlockVersion ?? 0 >= 6,
        LibraryThreadTests.connects(ZMQ_PUSH, of: context, to: abstract)
      {
        exit(7)
      }
      _ = try inbox.readiness()
    }
  }

  @Test func `libzmq's threads on Unix sockets make lanes there`() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.file("inbox") as String] in
      let context = try Context(mostSockets: 64)
      try LibraryThreadTests.start(context, toMaking: .unix)
      let inbox = try Socket(.pull, in: context)
      try inbox.bind("ipc://\(path)")
      _ = try Confinement.confineThreads()
      guard LibraryThreadTests.connects(ZMQ_PUSH, of: context, to: "ipc://\(path)") else { exit(6) }
      _ = try inbox.readiness()
    }
  }

  @Test func `libzmq's threads on TCP make lanes there, to names too, and to no Unix socket`() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.file("inbox") as String] in
      let context = try Context(mostSockets: 64)
      try LibraryThreadTests.start(context, toMaking: .internet)
      let inbox = try Socket(.pull, in: context)
      try inbox.bind("ipc://\(path)")
      try inbox.bind("tcp://127.0.0.1:*")
      let port = try inbox.lastEndpoint().split(separator: ":").last ?? ""
      _ = try Confinement.confineThreads()
      for host in ["127.0.0.1", "localhost"] {
        guard LibraryThreadTests.connects(ZMQ_PUSH, of: context, to: "tcp://\(host):\(port)") else { exit(6) }
      }
      if LibraryThreadTests.connects(ZMQ_PUSH, of: context, to: "ipc://\(path)") { exit(7) }
      _ = try inbox.readiness()
    }
  }

  @Test func `a thread that connects to Unix sockets does nothing else`() async {
    await #expect(processExitsWith: .success) {
      let escapes = Lock(["not tried"])
      try Thread.start(name: "lanes") {
        guard (try? Confinement.confineThread(toMaking: .unix)) != nil else { exit(3) }
        let tried = Escape.tried(except: ["connect", "accept"])
        escapes.withLock { $0 = tried }
      }.join()
      Escape.require(escapes.withLock { $0 })
    }
  }

  @Test func `a thread that serves accepts connections and ends them, and does nothing else`() async {
    await #expect(processExitsWith: .success) {
      let (listener, escapes) = (try Listener(), Lock(["not tried"]))
      let client = try StreamSocket.connect(port: listener.port)
      // It stays open, so that it is not its closing that the client sees.
      let accepted = Lock<StreamSocket?>(nil)
      try Thread.start(name: "serving") {
        guard (try? Confinement.confineThreadToServing()) != nil else { exit(3) }
        let tried = Escape.tried()
        escapes.withLock { $0 = tried }
        guard let socket = try? listener.acceptNow(), socket.peer != nil else { exit(4) }
        socket.finishWriting()
        accepted.withLock { $0 = socket }
      }.join()
      guard try client.read(milliseconds: 10_000).isEmpty else { exit(5) }
      Escape.require(escapes.withLock { $0 })
      withExtendedLifetime(accepted) {}
    }
  }

  @Test func `a thread that connects over TCP does no more than look names up besides`() async {
    await #expect(processExitsWith: .success) {
      let escapes = Lock(["not tried"])
      try Thread.start(name: "lanes") {
        guard (try? Confinement.confineThread(toMaking: .internet)) != nil else { exit(3) }
        var tried = Escape.tried(
          except: ["connect", "accept", "connect to a port", "read a file", "look into a process"])
        if KernelSandbox.landlockVersion != nil, (try? Descriptor.reading(path: "/proc/self/maps")) != nil {
          tried.append("read any file")
        }
        if (try? Descriptor.reading(path: "/etc/hosts")) == nil { tried.append("no names") }
        escapes.withLock { [tried] in $0 = tried }
      }.join()
      Escape.require(escapes.withLock { $0 })
    }
  }

  @Test func `libzmq's threads that are not confined are seen`() async {
    await #expect(processExitsWith: .success) {
      let context = try Context(mostSockets: 8)
      try context.startThreads()
      // One that is confined before it has set its priority aborts; it sets its name after that.
      while try ProcessThread.all().count(where: { $0.name.hasPrefix("ZMQbg") }) < 2 { sched_yield() }
      do {
        _ = try Confinement.confineThreads(within: 1_000)
        exit(6)
      } catch SandboxError.threadsLeft(let names) {
        guard names.count == 2, names.allSatisfy({ $0.hasPrefix("ZMQbg") }) else { exit(7) }
      }
      withExtendedLifetime(context) {}
    }
  }
}
