internal import CPosix

/// The path of a Unix socket, removed when the socket is closed.
final class SocketPlace: Sendable {
  private let path: String
  /// When two servers start at once, keeps each from taking the other for dead.
  private let claim: FileClaim

  private init(path: String, claim: FileClaim) {
    (self.path, self.claim) = (path, claim)
  }

  /// Removes a socket that a dead server left. Throws `EADDRINUSE` if a server listens there, and `EEXIST` if the path is
  /// anything but a socket of this user.
  static func free(path: String) throws(PosixError) -> SocketPlace {
    let claim: FileClaim
    do throws(FileClaim.Refusal) {
      claim = try FileClaim(path: "\(path).lock")
    } catch {
      switch error {
      case .held: throw PosixError(call: "bind", code: EADDRINUSE)
      case .distrusted: throw PosixError(call: "bind", code: EEXIST)
      case .failed(let cause): throw cause
      }
    }
    switch unsafe cposix_is_own_socket(path) {
    case 0: break
    case 1 where isDead(path): _ = removeFile(path: path)
    case 1: throw PosixError(call: "bind", code: EADDRINUSE)
    default: throw PosixError(call: "bind", code: EEXIST)
    }
    return SocketPlace(path: path, claim: claim)
  }

  private static func isDead(_ path: String) -> Bool {
    guard let other = try? Descriptor(owning: cposix_local_stream_socket(), from: "socket"),
      unsafe cposix_connect_local(other.number, path) != 0
    else { return false }
    return PosixError(call: "connect").isRefused
  }

  deinit {
    _ = removeFile(path: path)
  }
}

extension Listener {
  /// Listens at a path of the file system, which must begin with `/`.
  ///
  /// - Parameter mode: Who may connect, such as 0o660.
  public convenience init(path: String, mode: UInt32, backlog: Int32 = 511) throws(PosixError) {
    let place = try SocketPlace.free(path: path)
    let descriptor = try Descriptor(owning: cposix_local_stream_socket(), from: "socket")
    guard unsafe cposix_bind_local(descriptor.number, path) == 0 else { throw PosixError(call: "bind") }
    // No one can connect before it listens.
    guard unsafe chmod(path, mode_t(mode)) == 0 else { throw PosixError(call: "chmod") }
    guard listen(descriptor.number, backlog) == 0 else { throw PosixError(call: "listen") }
    try self.init(descriptor, at: place)
  }

  /// The sockets that systemd opened for this process, by `LISTEN_FDS` and `LISTEN_PID`; empty without them.
  ///
  /// - Parameter first: The number of the first one.
  public static func inherited(
    variables: [String: String] = environmentVariables(), first: Int32 = 3
  ) throws(PosixError) -> [Listener] {
    guard let process = variables["LISTEN_PID"].flatMap({ Int32($0) }), process == getpid(),
      let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), 1...64 ~= count
    else { return [] }
    var listeners: [Listener] = []
    for number in first..<first + count {
      let descriptor = try Descriptor(owning: cposix_take_listener(number), from: "LISTEN_FDS")
      listeners.append(try Listener(descriptor, at: nil))
    }
    return listeners
  }
}
