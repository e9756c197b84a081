import FoundationEssentials
import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportZeroMQ

private let hasIPv6 = ((try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? "").contains(
  " lo\n")

/// What can be bound, and what is said of the rest.
@Suite(.timeLimit(.minutes(10)))
struct AddressTests {
  private func refusal(of address: String, _ settings: ZeroMQSettings = ZeroMQSettings()) async -> String? {
    do {
      let shared = try TestContext(settings)
      _ = try await shared.transport.bind(Address(address))
      return nil
    } catch TransportError.unusable(_, let why, _) {
      return why
    } catch TransportError.malformed(_, let why, _) {
      return "no address: \(why)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("ipc://relative", "no address: its path is not absolute"),
    ("ipc://", "no address: it has no path"),
    ("http://127.0.0.1:1", "no address: it is neither ipc nor tcp"),
    ("tcp://127.0.0.1", "no address: it has no port"),
    ("tcp://127.0.0.1:65536", "no address: '65536' is no port"),
    ("tcp://127.0.0.1:", "no address: it has no port"),
    ("tcp://:5555", "no address: it has no host"),
    ("ipc:///dev/null/x", "/dev/null is not what is expected there; choose another place"),
    ("ipc:///nowhere/at/all", "/nowhere does not exist"),
    ("tcp://203.0.113.9:0", "it leaves this machine, and there are no keys to protect it"),
    ("tcp://[::]:0", "it leaves this machine, and there are no keys to protect it"),
    ("tcp://[2001:db8::1]:0", "it leaves this machine, and there are no keys to protect it"),
    ("tcp://*:0", "it leaves this machine, and there are no keys to protect it"),
    ("tcp://127.evil.test:0", "it leaves this machine, and there are no keys to protect it"),
    ("tcp://127.0.0.1:0", "all users of this machine reach it, and there are no keys to protect it"),
    ("tcp://[::1]:0", "all users of this machine reach it, and there are no keys to protect it"),
    ("tcp://localhost:0", "all users of this machine reach it, and there are no keys to protect it"),
  ])
  func `an address that cannot work says why`(address: String, why: String) async {
    #expect(await refusal(of: address) == why)
  }

  @Test func `a path may have 107 bytes and no more`() async throws {
    let directory = try TemporaryDirectory()
    let room = 107 - directory.file("").utf8.count
    #expect(await refusal(of: "ipc://" + directory.file(String(repeating: "x", count: room))) == nil)
    #expect(
      await refusal(of: "ipc://" + directory.file(String(repeating: "x", count: room + 1)))
        == "no address: its path has 108 bytes, and a socket's has 107 at most")
  }

  @Test func `an inbox can be bound to localhost, and to no other name`() async throws {
    let shared = try TestContext(ZeroMQSettings(allowsInsecure: true))
    let inbox = try await shared.transport.bind(Address("tcp://localhost:0"))
    #expect(inbox.address.text.hasPrefix("tcp://localhost:") && !inbox.address.text.hasSuffix(":0"))
    let outlet = try await shared.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
    let error = await #expect(throws: TransportError.self) {
      try await shared.transport.bind(Address("tcp://no-such-host.invalid:0"))
    }
    guard case .unusable(_, _, let remedy) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(remedy == "use an address that this machine has, in numbers")
  }

  @Test func `an inbox on any port says which one it got`() async throws {
    let shared = try TestContext(ZeroMQSettings(allowsInsecure: true))
    let inbox = try await shared.transport.bind(Address("tcp://127.0.0.1:0"))
    #expect(inbox.address.text.hasPrefix("tcp://127.0.0.1:"))
    #expect(!inbox.address.text.hasSuffix(":0"))
    let outlet = try await shared.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
  }

  @Test(.enabled(if: hasIPv6, "the machine has no IPv6"))
  func `a lane over IPv6 says which port it got`() async throws {
    let shared = try TestContext(ZeroMQSettings(allowsInsecure: true))
    let inbox = try await shared.transport.bind(Address("tcp://[::1]:0"))
    #expect(inbox.address.text.hasPrefix("tcp://[::1]:"))
    #expect(!inbox.address.text.hasSuffix(":0"))
    let outlet = try await shared.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1, 2))
    #expect(try await inbox.numbers(2) == [1, 2])
  }

  @Test func `an inbox on all addresses is called by the advertised name`() async throws {
    var settings = ZeroMQSettings(allowsInsecure: true)
    settings.advertisedHost = "worker-7.test"
    let inbox = try await TestContext(settings).transport.bind(Address("tcp://*:0"))
    #expect(inbox.address.text.hasPrefix("tcp://worker-7.test:"))
  }

  @Test func `a path that is taken names the process that has it`() async throws {
    let directory = try TemporaryDirectory()
    let address = Address("ipc://" + directory.file("inbox"))
    let first = try await TestContext().transport.bind(address)
    // Another transport, as another process has.
    let (own, other) = (ProcessInfo.processInfo.processIdentifier, try TestContext())
    await #expect(throws: TransportError.addressInUse(address, process: own)) {
      try await other.transport.bind(address)
    }
    await first.close()
    let second = try await other.transport.bind(address)
    await second.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("")).isEmpty)
  }

  @Test func `what a dead process left at a path is taken over`() async throws {
    let directory = try TemporaryDirectory()
    #expect(FileManager.default.createFile(atPath: directory.file("inbox"), contents: nil))
    #expect(FileManager.default.createFile(atPath: directory.file("inbox.lock"), contents: Data("1\n".utf8)))
    let shared = try TestContext()
    let inbox = try await shared.transport.bind(Address("ipc://" + directory.file("inbox")))
    let outlet = try await shared.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
  }

  @Test func `the directory of a path is made for its owner only`() async throws {
    let directory = try TemporaryDirectory()
    _ = try await TestContext().transport.bind(Address("ipc://" + directory.file("new/inbox")))
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("new"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }
}
