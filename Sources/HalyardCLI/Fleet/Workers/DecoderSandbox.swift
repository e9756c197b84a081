import Assembly
import Pipeline
import Posix
import Sandbox
import ZeroMQ

enum DecoderSandbox {
  /// Starts libzmq's threads, which can do no more than make lanes of the kinds that these addresses have. To be called before
  /// the context's first socket.
  static func startThreads(of context: Context, for addresses: [Address]) throws {
    let (connections, directories) = (connections(for: addresses), directories(for: addresses))
    let outcome = Lock<Result<Void, any Error>>(.success(()))
    try Thread.start(name: "lanes") {
      let result: Result<Void, any Error> = Result {
        try Confinement.confineThread(toMaking: connections, in: directories)
        try context.startThreads()
      }
      outcome.withLock { $0 = result }
    }.join()
    try outcome.withLock { $0 }.get()
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
