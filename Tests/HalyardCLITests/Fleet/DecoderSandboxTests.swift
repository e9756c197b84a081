import Pipeline
import Sandbox
import Testing

@testable import HalyardCLI

@Suite struct DecoderSandboxTests {
  @Test(
    arguments: [
      (["ipc:///run/a", "ipc:///run/b"], .unix), (["tcp://127.0.0.1:0", "tcp://hub:7700"], .internet),
      (["ipc:///run/a", "tcp://hub:7700"], [.unix, .internet]),
    ] as [([String], Connections)])
  func `libzmq connects to what a decoder's addresses are`(addresses: [String], connections: Connections) {
    #expect(DecoderSandbox.connections(for: addresses.map { Address($0) }) == connections)
  }

  @Test func `its lanes lead to the directories of those addresses`() {
    let addresses = ["ipc:///run/h/decoder-1", "ipc:///run/h/aggregator", "tcp://hub:7700"].map {
      Address($0)
    }
    #expect(DecoderSandbox.directories(for: addresses) == ["/run/h"])
  }

  /// What ends with 78 ends the whole fleet.
  @Test func `a decoder that lacks memory or descriptors may start again`() {
    func isPermanent(_ cause: SandboxError) -> Bool { WorkerCommand.isPermanent(cause) }
    #expect(isPermanent(.unsupported) && isPermanent(.failed(call: "seccomp", code: 1)))
    #expect(!isPermanent(.failed(call: "memfd_create", code: 24)) && !isPermanent(.threadsLeft(["pool"])))
  }
}
