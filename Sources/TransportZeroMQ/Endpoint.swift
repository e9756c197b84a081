import Pipeline
import Posix
import ZeroMQ

/// An address as ZeroMQ knows it.
enum Endpoint: Hashable {
  case ipc(path: String)
  /// Whoever listens there has this key; nil for the aggregator, whose key its members know, and without keys.
  case tcp(host: String, port: UInt16, key: CurveKey? = nil)

  /// What stands before the key in an address.
  static let keyMark = "#"

  init(_ address: Address) throws(TransportError) {
    guard address.text.utf8.count <= Hello.longestText else {
      throw .malformed(
        what: address.text.shortened(toBytes: Hello.longestText),
        why: "it has \(address.text.utf8.count) bytes, and \(Hello.longestText) is the most",
        remedy: "choose a shorter address")
    }
    if let path = address.text.dropping(prefix: "ipc://") {
      self = try Self.ipc(String(path), of: address)
    } else if let rest = address.text.dropping(prefix: "tcp://") {
      self = try Self.tcp(rest, of: address)
    } else {
      throw .malformed(
        what: address.text, why: "it is neither ipc nor tcp", remedy: "write ipc://PATH or tcp://HOST:PORT")
    }
  }

  private static func tcp(_ rest: Substring, of address: Address) throws(TransportError) -> Endpoint {
    let (place, keyText) = (rest.prefix { $0 != "#" }, rest.drop { $0 != "#" }.dropFirst())
    let colon = place.lastIndex(of: ":")
    let (host, portText) = (place[..<(colon ?? place.endIndex)], colon.map { place[$0...].dropFirst() })
    guard !host.isEmpty, let portText, let port = port(portText) else {
      let why =
        host.isEmpty
        ? "it has no host"
        : portText.map { $0.isEmpty ? "it has no port" : "'\($0)' is no port" } ?? "it has no port"
      throw .malformed(what: address.text, why: why, remedy: "write tcp://HOST:PORT, PORT 0 for any")
    }
    let key = CurveKey(z85: String(keyText))
    guard key != nil || place.endIndex == rest.endIndex else {
      throw .malformed(what: address.text, why: "what follows its port is no key", remedy: "leave that out")
    }
    return .tcp(host: String(host), port: port, key: key)
  }

  private static func ipc(_ path: String, of address: Address) throws(TransportError) -> Endpoint {
    guard path.hasPrefix("/") else {
      throw .malformed(
        what: address.text, why: path.isEmpty ? "it has no path" : "its path is not absolute",
        remedy: "write ipc:///DIRECTORY/SOCKET")
    }
    guard path.utf8.count <= LaneConstants.longestPath else {
      throw .malformed(
        what: address.text,
        why: "its path has \(path.utf8.count) bytes, and a socket's has \(LaneConstants.longestPath) at most",
        remedy: "choose a shorter directory")
    }
    return .ipc(path: path)
  }

  private static func port(_ text: Substring) -> UInt16? {
    text == "*" ? 0 : UInt16(text)
  }

  /// What the library is given.
  var text: String {
    switch self {
    case .ipc(let path): "ipc://\(path)"
    case .tcp(let host, let port, _): "tcp://\(host):\(port)"
    }
  }

  /// What an inbox is bound to: the library knows no names there.
  var boundText: String {
    if case .tcp("localhost", let port, _) = self { return "tcp://127.0.0.1:\(port)" }
    return text
  }

  var key: CurveKey? { if case .tcp(_, _, let key) = self { key } else { nil } }

  private var host: String? { if case .tcp(let host, _, _) = self { host } else { nil } }

  var isTCP: Bool { host != nil }

  var isIPv6: Bool { host?.hasPrefix("[") == true }

  /// Whether nothing of it leaves this machine, and all of its users reach it.
  var isLoopback: Bool { host.map { $0 == "localhost" || $0 == "[::1]" || Self.isLoopback($0) } == true }

  /// Four numbers that begin with 127; a name that begins like them may be any machine's.
  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether it stands for all addresses of this machine.
  var isWildcard: Bool { host.map(["*", "0.0.0.0", "[::]"].contains) == true }
}

extension String {
  fileprivate func dropping(prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}

/// Keeps others from binding a path. The library would silently take it from the inbox that is bound there.
struct PathClaim: ~Copyable {
  static let noRoom = "make room on its disk (df), and for more files (df -i)"

  private let path: String
  private let claim: FileClaim

  init(_ path: String, for address: Address) throws(TransportError) {
    self.path = path
    try Self.makeDirectory(of: path, for: address)
    do throws(FileClaim.Refusal) {
      claim = try FileClaim(path: path + ".lock")
    } catch {
      throw Self.refusal(error, of: path, for: address)
    }
  }

  private static func refusal(
    _ refusal: FileClaim.Refusal, of path: String, for address: Address
  ) -> TransportError {
    switch refusal {
    case .held(let process): .addressInUse(address, process: process)
    case .distrusted(let error): distrusted(error, for: address)
    case .failed(let error):
      .unusable(
        what: address.text, why: "\(path).lock: \(error.message)",
        remedy: error.isNoRoom ? Self.noRoom : "choose a directory that this user may write to")
    }
  }

  func makeAgain() { _ = claim.makeAgain() }

  /// The library leaves its socket behind. The lock is still held here.
  deinit {
    _ = removeFile(path: path)
  }

  private static func makeDirectory(of path: String, for address: Address) throws(TransportError) {
    do throws(DistrustedPath) {
      _ = try SafeDirectory(directory(of: path), making: .last)
    } catch {
      throw distrusted(error, for: address)
    }
  }

  /// A socket where others could put theirs in its place is none of the fleet's. What is not there yet can be made.
  static func checkDirectory(of path: String, for address: Address) throws(TransportError) {
    do throws(DistrustedPath) {
      _ = try SafeDirectory(directory(of: path), making: .nothing)
    } catch {
      if error.reason != .missing { throw distrusted(error, for: address) }
    }
  }

  static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
  }

  private static func distrusted(_ error: DistrustedPath, for address: Address) -> TransportError {
    .unusable(
      what: address.text, why: error.message, remedy: "a socket's directory has to be its user's own")
  }
}
