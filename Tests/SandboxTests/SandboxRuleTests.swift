import Testing

@testable import Sandbox

@Suite struct SandboxRuleTests {
  @Test func `no call is allowed that opens, connects, starts or looks into something`() {
    let allowed = Set(CallRule.decoding(process: 17).filter { $0.outcome == .allowed }.map(\.name))
    let never: Set = [
      "accept4", "bind", "bpf", "connect", "creat", "execve", "execveat", "fork", "io_uring_enter",
      "io_uring_setup", "linkat", "listen", "memfd_create", "mount", "open", "open_by_handle_at", "openat",
      "openat2", "perf_event_open", "pidfd_getfd", "pidfd_open", "process_vm_readv", "process_vm_writev",
      "ptrace",
      "recvmsg", "renameat2", "seccomp", "sendmmsg", "sendmsg", "socket", "socketpair", "unlinkat", "unshare",
      "userfaultfd", "vfork",
    ]
    #expect(allowed.isDisjoint(with: never))
  }

  @Test func `signals go to this process only`() {
    let rules = CallRule.decoding(process: 17).filter { ["kill", "tgkill"].contains($0.name) }
    #expect(rules.count == 2)
    #expect(rules.allSatisfy { $0.conditions == [CallRule.Condition(argument: 0, value: 17)] })
  }

  @Test(
    arguments: [
      (1, 0x1FFF, 0, 0), (2, 0x3FFF, 0, 0), (3, 0x7FFF, 0, 0), (4, 0x7FFF, 3, 0), (5, 0xFFFF, 3, 0),
      (6, 0xFFFF, 3, 1), (9, 0xFFFF, 3, 1),
    ] as [(Int, UInt64, UInt64, UInt64)])
  func `Landlock is asked for all that its version knows`(
    version: Int, files: UInt64, ports: UInt64, scopes: UInt64
  ) {
    let rights = LandlockRights(version: version)
    #expect(rights.files == files && rights.ports == ports && rights.scopes == scopes)
  }

  @Test(
    arguments: [
      (.unsupported, true), (.filtersNotTold, true), (.threadsLeft(["pool"]), false),
      (.failed(call: "seccomp", code: 1), true), (.failed(call: "landlock_create_ruleset", code: 95), true),
      (.failed(call: "seccomp", code: 12), false), (.failed(call: "memfd_create", code: 23), false),
      (.failed(call: "memfd_create", code: 24), false),
    ] as [(SandboxError, Bool)])
  func `a lack of memory or descriptors passes`(error: SandboxError, isPermanent: Bool) {
    #expect(error.isPermanent == isPermanent)
  }

  @Test func `a thread's filters are counted, whoever gave it them`() {
    func filters(_ text: String) -> Int? {
      ProcessThread(7, status: "Name:\tdecoder\nState:\tS (sleeping)\n\(text)\n")?.filters
    }
    #expect(filters("Seccomp:\t0\nSeccomp_filters:\t0") == 0)
    #expect(filters("Seccomp:\t2\nSeccomp_filters:\t3") == 3)
    #expect(filters("Seccomp:\t0") == 0)
    #expect(filters("Seccomp:\t2") == nil)
  }

  @Test func `a thread has a name, and one that has ended is none`() {
    #expect(ProcessThread(7, status: "Name:\tZMQbg/IO/0\nSeccomp:\t0\n")?.name == "ZMQbg/IO/0")
    #expect(ProcessThread(7, status: "Name:\tdecoder\nState:\tZ (zombie)\nSeccomp:\t0\n") == nil)
    #expect(ProcessThread(7, status: "") == nil)
  }
}
