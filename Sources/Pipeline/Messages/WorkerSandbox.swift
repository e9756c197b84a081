/// What keeps the threads of a worker that read hostile bytes from files, sockets and programs.
public enum WorkerSandbox: UInt8, CaseIterable, Sendable {
  case none = 0
  /// The kernel filters their system calls.
  case filter = 1
  /// Landlock denies them all files too.
  case filterAndLandlock = 2

  /// As the status names it.
  public var name: String {
    switch self {
    case .none: "none"
    case .filter: "seccomp"
    case .filterAndLandlock: "seccomp+landlock"
    }
  }
}
