import PipelineTesting
import Testing

@testable import Posix

@Suite struct DatagramSocketTests {
  private func name(_ text: String) -> String { "@halyard-\(text)-\(processID)" }

  @Test func `each datagram comes as it was sent, by path and by abstract name`() throws {
    let directory = try TemporaryDirectory()
    for name in [directory.file("notify"), name("datagrams")] {
      let receiver = try DatagramSocket(receivingAt: name)
      let sender = DatagramSender(to: name)
      try sender.send(Array("READY=1\nSTATUS=on".utf8))
      try sender.send(Array("WATCHDOG=1".utf8))
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
    #expect(throws: PosixError(call: "connect", code: code)) { try DatagramSender(to: name).send([1]) }
  }

  @Test func `a receiver that is full holds up nobody for long`() throws {
    let name = name("full")
    let receiver = try DatagramSocket(receivingAt: name)
    let sender = DatagramSender(to: name)
    #expect(throws: PosixError(call: "send", code: 11)) {
      while true { try sender.send([1]) }
    }
    #expect(try receiver.receive() == [1])
  }

  @Test func `a receiver may come later, and another may take its place`() throws {
    let name = name("later")
    let sender = DatagramSender(to: name)
    #expect(throws: PosixError.self) { try sender.send([1]) }
    for number: UInt8 in 2...3 {
      let receiver = try DatagramSocket(receivingAt: name)
      try sender.send([number])
      #expect(try receiver.receive() == [number])
    }
  }
}
