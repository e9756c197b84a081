import PipelineTesting
import Testing

@testable import Posix

@Suite struct DatagramSocketTests {
  private func name(_ text: String) -> String { "@halyard-\(text)-\(processID)" }

  @Test func `each datagram comes as it was sent, by path and by abstract name`() throws {
    let directory = try TemporaryDirectory()
    for name in [directory.file("notify"), name("datagrams")] {
      let receiver = try DatagramSocket(receivingAt: name)
      try DatagramSocket.send(Array("READY=1\nSTATUS=on".utf8), to: name)
      try DatagramSocket.send(Array("WATCHDOG=1".utf8), to: name)
      #expect(try receiver.receive() == Array("READY=1\nSTATUS=on".utf8))
      #expect(try receiver.receive() == Array("WATCHDOG=1".utf8))
      #expect(throws: PosixError(call: "recv", code: 110)) { try receiver.receive(milliseconds: 0) }
    }
  }

  @Test(
    arguments: [
      ("/nobody/is/here", 2), ("@nobody-is-here", 111), ("relative", 22), ("@", 22), ("", 22),
      ("/" + String(repeating: "x", count: 200), 36),
    ] as [(String, Int32)])
  func `what cannot be sent is an error`(name: String, code: Int32) {
    #expect(throws: PosixError(call: "sendto", code: code)) { try DatagramSocket.send([1], to: name) }
  }

  @Test func `a receiver that is full holds up nobody for long`() throws {
    let name = name("full")
    let receiver = try DatagramSocket(receivingAt: name)
    #expect(throws: PosixError(call: "sendto", code: 11)) {
      while true { try DatagramSocket.send([1], to: name) }
    }
    #expect(try receiver.receive() == [1])
  }
}
