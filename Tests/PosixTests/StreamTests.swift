import Glibc
import Testing

@testable import Posix

struct StreamTests {
  @Test func `what is written to a file is read back in pieces`() throws {
    let path = "/tmp/halyard-stream-test-\(UInt64.random(in: 0 ... .max))"
    let bytes = (0..<100_000).map { UInt8($0 % 251) }
    do {
      try Descriptor.writing(path: path).writeAll(bytes)
      try Descriptor.writing(path: path, appending: true).writeAll([1, 2, 3])
    }
    let file = try Descriptor.reading(path: path)
    var read: [UInt8] = []
    while case let chunk = try file.readChunk(limit: 30_000), !chunk.isEmpty {
      #expect(chunk.count <= 30_000)
      read += chunk
    }
    #expect(read == bytes + [1, 2, 3])
    try Descriptor.writing(path: path).writeAll([])
    #expect(try Descriptor.reading(path: path).readChunk().isEmpty)
    #expect(removeFile(path: path))
  }

  @Test func `a missing file is an error that names call and cause`() {
    let error = #expect(throws: PosixError.self) { try Descriptor.reading(path: "/nowhere/at/all") }
    #expect(error?.message == "open: No such file or directory")
  }

  @Test func `what is not open is no terminal`() throws {
    #expect(!isTerminal(-1))
    #expect(terminalWidth(-1) == nil)
  }

  @Test func `a listener and a client talk both ways until each has finished`() throws {
    let listener = try Listener()
    let client = try StreamSocket.connect(port: listener.port)
    let server = try listener.accept()
    try client.write(Array("hello".utf8))
    #expect(try server.read() == Array("hello".utf8))
    client.finishWriting()
    #expect(try server.read().isEmpty)
    try server.write([7])
    server.finishWriting()
    #expect(try client.read() == [7])
    #expect(try client.read().isEmpty)
  }

  @Test func `what is accepted has the options of its listener`() throws {
    let listener = try Listener()
    listener.prepareForServer(lostAfter: 60_000)
    let client = try StreamSocket.connect(port: listener.port)
    let server = try listener.accept()
    func option(_ name: Int32) -> Int32 {
      var (value, size) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
      unsafe getsockopt(server.descriptor.number, Int32(IPPROTO_TCP), name, &value, &size)
      return value
    }
    #expect(option(TCP_NODELAY) == 1)
    #expect(option(TCP_USER_TIMEOUT) == 60_000)
    withExtendedLifetime(client) {}
  }

  @Test func `a large write waits for a slow reader`() throws {
    let listener = try Listener()
    let client = try StreamSocket.connect(port: listener.port)
    let server = try listener.accept()
    let bytes = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let writer = try Posix.Thread.start(name: "writer") {
      try? server.write(bytes)
      server.finishWriting()
    }
    var count = 0
    while case let chunk = try client.read(milliseconds: 10_000), !chunk.isEmpty { count += chunk.count }
    writer.join()
    #expect(count == bytes.count)
  }

  @Test func `a write to a peer that is gone is an error`() throws {
    let listener = try Listener()
    let client = try StreamSocket.connect(port: listener.port)
    do { _ = try listener.accept() }
    #expect(throws: PosixError.self) {
      for _ in 0..<1_000 { try client.write([UInt8](repeating: 0, count: 100_000)) }
    }
  }

  @Test func `a port that only refuses is a dead link`() throws {
    let dead = try Listener(refusing: true)
    let error = #expect(throws: PosixError.self) { try StreamSocket.connect(port: dead.port) }
    #expect(error?.message == "connect: Connection refused")
  }

  @Test func `a port in use cannot be taken again`() throws {
    let listener = try Listener()
    let error = #expect(throws: PosixError.self) { try Listener(port: listener.port) }
    #expect(error?.call == "bind")
  }
}
