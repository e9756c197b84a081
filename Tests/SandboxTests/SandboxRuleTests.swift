import Testing

@testable import Sandbox

@Suite struct SandboxRuleTests {
  private func names(_ rules: [CallRule]) -> Set<String> {
    Set(rules.filter { $0.outcome == .allowed }.map(\.name))
  }

  private func allows(_ rules: [CallRule], _ name: String, _ arguments: UInt64...) -> Bool {
    rules.contains { rule in
      rule.name == name && rule.outcome == .allowed
        && rule.conditions.allSatisfy { arguments[Int($0.argument)] & $0.mask == $0.value }
    }
  }

  @Test func `no call is allowed that opens, connects, starts or looks into something`() {
    let allowed = names(CallRule.decoding(process: 17, standIn: 9))
    let never: Set = [
      "accept4", "bind", "bpf", "connect", "creat", "execve", "execveat", "fork", "io_uring_enter",
      "io_uring_setup", "linkat", "listen", "memfd_create", "mount", "open", "open_by_handle_at", "openat",
      "openat2", "perf_event_open", "pidfd_getfd", "pidfd_open", "process_vm_readv", "process_vm_writev",
      "ptrace",
      "recvmsg", "renameat2", "seccomp", "sendmmsg", "sendmsg", "socket", "socketpair", "unlinkat", "unshare",
      "userfaultfd", "vfork",
    ]
    #expect(allowed.isDisjoint(with: never))
    let serving = CallRule.serving(process: 17)
    #expect(names(serving).isDisjoint(with: never.subtracting(["accept4"])))
    #expect(allows(serving, "shutdown", 5, 1) && !allows(serving, "shutdown", 5, 0))
    #expect(!allows(serving, "shutdown", 5, 2))
    for connections in [.unix, .internet, [.unix, .internet]] as [Connections] {
      let allowed = names(CallRule.connecting(connections, process: 17, policy: 0))
      #expect(
        allowed.isDisjoint(with: never.subtracting(["accept4", "connect", "open", "openat", "socket"])))
      #expect(allowed.contains("socket"))
      #expect(allowed.contains("openat") == connections.contains(.internet))
    }
  }

  @Test func `sockets are of the kinds that lanes have`() {
    let (unix, internet) = (
      CallRule.connecting(.unix, process: 17, policy: 0),
      CallRule.connecting(.internet, process: 17, policy: 0)
    )
    #expect(allows(unix, "socket", 1, 0x8_0001, 0) && !allows(unix, "socket", 1, 2, 0))
    #expect(!allows(unix, "socket", 2, 1, 6) && !allows(internet, "socket", 1, 1, 0))
    for family in [2, 10] as [UInt64] {
      #expect(allows(internet, "socket", family, 0x8_0001, 6) && allows(internet, "socket", family, 2, 0))
      #expect(!allows(internet, "socket", family, 3, 1) && !allows(internet, "socket", family, 1, 132))
    }
    #expect(!allows(internet, "socket", 16, 3, 0))
    #expect(allows(internet, "openat", 0, 0, 0x8_0000))
    for flags in [0x1, 0x2, 0x40, 0x200, 0x41_0000] as [UInt64] {
      #expect(!allows(internet, "openat", 0, 0, flags))
    }
  }

  @Test(arguments: [0, 1, 2, 1 << 32, 1 << 32 | 2] as [UInt64])
  func `a standard stream keeps its flags`(descriptor: UInt64) {
    let rules = CallRule.decoding(process: 17, standIn: 9)
    #expect(!allows(rules, "fcntl", descriptor, 4, 0x802))
    #expect(!allows(rules, "lseek", descriptor, 0, 0) && !allows(rules, "fcntl", descriptor, 1_030, 0))
  }

  @Test(arguments: [3, 4, 5, 6, 7, 8, 1_023, 65_536] as [UInt64])
  func `another descriptor may not wait any more, and have no signals sent`(descriptor: UInt64) {
    let rules = CallRule.decoding(process: 17, standIn: 9)
    #expect(allows(rules, "fcntl", descriptor, 4, 0x802) && allows(rules, "fcntl", descriptor, 3, 0))
    #expect(!allows(rules, "fcntl", descriptor, 4, 0x2802) && !allows(rules, "fcntl", descriptor, 4, 0x2))
    for command in [0, 5, 6, 7, 8, 10, 15, 1_024, 1_026, 1_030, 1_031] as [UInt64] {
      #expect(!allows(rules, "fcntl", descriptor, command, 0))
    }
  }

  @Test func `only the handler's file is copied, and read again`() {
    let rules = CallRule.decoding(process: 17, standIn: 9)
    #expect(allows(rules, "fcntl", 9, 1_030, 0) && allows(rules, "lseek", 9, 0, 0))
  }

  @Test func `signals go to this process only`() {
    let rules = CallRule.decoding(process: 17, standIn: 9).filter { ["kill", "tgkill"].contains($0.name) }
    #expect(rules.count == 2)
    #expect(rules.allSatisfy { $0.conditions == [CallRule.Condition(argument: 0, value: 17)] })
  }

  @Test(
    arguments: [
      (1, 0x1FFF, 0, 0), (2, 0x3FFF, 0, 0), (3, 0x7FFF, 0, 0), (4, 0x7FFF, 3, 0), (5, 0xFFFF, 3, 0),
      (6, 0xFFFF, 3, 3), (8, 0xFFFF, 3, 3), (9, 0x1_FFFF, 3, 3),
    ] as [(Int, UInt64, UInt64, UInt64)])
  func `Landlock is asked for all that its version knows`(
    version: Int, files: UInt64, ports: UInt64, scopes: UInt64
  ) {
    let rights = LandlockRights(version: version, scopeSparesOwnProcess: true)
    #expect(rights.files == files && rights.ports == ports && rights.scopes == scopes)
    #expect(rights.readable.isEmpty)
    // Else threads of one process could not signal each other.
    #expect(LandlockRights(version: version, scopeSparesOwnProcess: false).scopes == scopes & 1)
    let connecting = LandlockRights(version: version, scopeSparesOwnProcess: true, besides: .internet)
    #expect(connecting.files == files && connecting.ports == ports & 1 && connecting.scopes == scopes)
    #expect(connecting.readable.contains("/etc/resolv.conf"))
    // The kernel can tell Unix sockets by their paths since Linux 7.1.
    let lanes = LandlockRights(
      version: version, scopeSparesOwnProcess: true, besides: .unix, in: ["/run/halyard"])
    #expect(lanes.connectable == (version >= 9 ? ["/run/halyard"] : []))
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
