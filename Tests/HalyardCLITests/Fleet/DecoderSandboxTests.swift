import Sandbox
import Testing

@testable import HalyardCLI

@Suite struct DecoderSandboxTests {
  /// What ends with 78 ends the whole fleet.
  @Test func `a decoder that lacks memory or descriptors may start again`() {
    func isHopeless(_ cause: SandboxError) -> Bool {
      WorkerCommand.isHopeless(DecoderSandboxError(cause: cause))
    }
    #expect(isHopeless(.unsupported) && isHopeless(.failed(call: "seccomp", code: 1)))
    #expect(!isHopeless(.failed(call: "memfd_create", code: 24)) && !isHopeless(.threadsLeft(["pool"])))
  }
}
