import Glibc
import HTTPMessages
import HTTPServer
import Testing

@testable import Posix

@Suite(.timeLimit(.minutes(1)))
struct ListeningTests {
  /// A name that no other test has.
  private static func place(_ name: String) -> String { "/tmp/http-\(getpid())-\(name)" }

  private func connect(_ path: String) throws -> Peer {
    let descriptor = try Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor.number, $0, size)
      }
    }
    guard code == 0 else { throw PosixError(call: "connect", code: errno) }
    return try Peer(StreamSocket(descriptor))
  }

  private func serve(_ make: () throws -> Listener) throws -> HTTPServer {
    try HTTPServer([try make()], .plain)
  }

  @Test func `a Unix socket is served, has its mode, and goes with its server`() async throws {
    let path = Self.place("mode")
    let server = try serve { try Listener(path: path, mode: 0o620) }
    #expect(try FileFacts(at: path)?.mode == 0o620)
    #expect(try await connect(path).ask(get("/a")).hasSuffix("/a\n"))
    await server.finish(within: 0)
    #expect(try FileFacts(at: path) == nil)
    #expect(try FileFacts(at: "\(path).lock") == nil)
  }

  @Test func `what a dead server left is replaced`() async throws {
    let path = Self.place("dead")
    let dead = try Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    try bind(dead, to: path)
    let server = try serve { try Listener(path: path, mode: 0o600) }
    #expect(try await connect(path).ask(get("/a")).hasSuffix("/a\n"))
    await server.finish(within: 0)
  }

  @Test func `a living server keeps its path`() async throws {
    let path = Self.place("living")
    let server = try serve { try Listener(path: path, mode: 0o600) }
    #expect(throws: PosixError(call: "bind", code: EADDRINUSE)) { try Listener(path: path, mode: 0o600) }
    #expect(try await connect(path).ask(get("/a")).hasSuffix("/a\n"))
    await server.finish(within: 0)
  }

  @Test func `a living server of another program keeps its path`() throws {
    let path = Self.place("other")
    defer { _ = removeFile(path: path) }
    let other = try Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    try bind(other, to: path)
    #expect(listen(other.number, 1) == 0)
    #expect(throws: PosixError(call: "bind", code: EADDRINUSE)) { try Listener(path: path, mode: 0o600) }
  }

  @Test func `a file, and another user's socket, are not replaced`() throws {
    let path = Self.place("file")
    defer { _ = removeFile(path: path) }
    try Descriptor.writing(path: path).writeAll([1])
    #expect(throws: PosixError(call: "bind", code: EEXIST)) { try Listener(path: path, mode: 0o600) }
    _ = removeFile(path: path)
    guard geteuid() == 0 else { return }
    let other = try Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    try bind(other, to: path)
    _ = unsafe lchown(path, 65_534, 65_534)
    #expect(throws: PosixError(call: "bind", code: EEXIST)) { try Listener(path: path, mode: 0o600) }
  }

  @Test func `an address of IPv6 is served`() async throws {
    let listener = try Listener(address: "::1", port: 0)
    let hosts = Lock<[String?]>([])
    let service = Service { head, client in
      hosts.withLock { $0.append(client.host) }
      return .answer(Response(200, text: head.path))
    }
    let server = try HTTPServer([listener], service)
    #expect(try await connect(port: listener.port).ask(get("/a")).hasSuffix("/a\n"))
    #expect(hosts.withLock { $0 } == ["0:0:0:0:0:0:0:1"])
    await server.finish(within: 0)
  }

  private func connect(port: UInt16) throws -> Peer {
    let descriptor = try Descriptor(owning: socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    var address = sockaddr_in6()
    (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
    address.sin6_addr = in6addr_loopback
    let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor.number, $0, size)
      }
    }
    guard code == 0 else { throw PosixError(call: "connect", code: errno) }
    return try Peer(StreamSocket(descriptor))
  }

  @Test func `what systemd opened is served`() async throws {
    let opened = try Listener(port: 0)
    let number = dup(opened.descriptor.number)
    let variables = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
    let server = try HTTPServer(try Listener.inherited(variables: variables, first: number), .plain)
    #expect(try await Peer(port: opened.port).ask(get("/a")).hasSuffix("/a\n"))
    await server.finish(within: 0)
  }

  @Test(arguments: [
    [:], ["LISTEN_PID": "1", "LISTEN_FDS": "1"], ["LISTEN_PID": "\(getpid())"],
    ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "-1"], ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1000"],
  ])
  func `what systemd opened for others is left alone`(variables: [String: String]) throws {
    #expect(try Listener.inherited(variables: variables).isEmpty)
  }

  @Test func `what does not listen is refused`() throws {
    let number = unsafe open("/dev/null", O_RDONLY)
    #expect(throws: PosixError.self) {
      try Listener.inherited(variables: ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"], first: number)
    }
  }

  private func bind(_ descriptor: Descriptor, to path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(descriptor.number, $0, size)
      }
    }
    guard code == 0 else { throw PosixError(call: "bind", code: errno) }
  }
}
