import Assembly
import HTTPServer
import Pipeline
import Posix
import Sandbox
import ZeroMQ

enum DecoderSandbox {
  /// Starts libzmq's threads, which can do no more than make lanes of the kinds that these addresses have. To be called before
  /// the context's first socket.
  static func startThreads(of context: Context, for addresses: [Address]) throws {
    let (connections, directories) = (connections(for: addresses), directories(for: addresses))
    try onThread { () throws(SandboxError) in
      try Confinement.confineThread(toMaking: connections, in: directories)
    } run: {
      try context.startThreads()
    }
  }

  /// Starts a server whose thread can do no more than serve connections to sockets that listen already.
  static func start(_ server: @escaping @Sendable () throws -> HTTPServer) throws -> HTTPServer {
    try onThread { () throws(SandboxError) in
      try Confinement.confineThreadToServing()
    } run: {
      try server()
    }
  }

  /// Calls `run` on a thread of its own once that is confined. So are the threads that it makes there.
  private static func onThread<Value: Sendable>(
    confinedBy confine: @escaping @Sendable () throws(SandboxError) -> Void,
    run: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let outcome = Lock<Result<Value, any Error>?>(nil)
    try Thread.start(name: "confined") {
      let result: Result<Value, any Error> = Result {
        try confine()
        return try run()
      }
      outcome.withLock { $0 = result }
    }.join()
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("its thread has ended") }
    return try result.get()
  }

  static func connections(for addresses: [Address]) -> Connections {
    addresses.reduce(into: []) { $0.insert($1.text.hasPrefix("tcp://") ? .internet : .unix) }
  }

  /// Where the sockets of the fleet's members are.
  static func directories(for addresses: [Address]) -> [String] {
    Set(addresses.compactMap { FleetPlace($0.text).directory }).sorted()
  }

  /// Confines all threads but those: every one that touches a page's bytes. To be called when the inbox is bound and all files
  /// are open.
  static func enter() throws(SandboxError) -> WorkerSandbox {
    try Confinement.confineThreads().landlockVersion == nil ? .filter : .filterAndLandlock
  }
}

/// A decoder that was not told to do without its sandbox does not start without it.
extension SandboxError: ReportedError {
  var rendered: String {
    "halyard: no sandbox for this decoder: \(Printable.text(message)); use a kernel with"
      + " CONFIG_SECCOMP_FILTER, or --no-sandbox\n"
  }
}
