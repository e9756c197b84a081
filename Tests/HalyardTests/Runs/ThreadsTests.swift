import Testing

/// Runs on one thread, and on several.
@Suite(.timeLimit(.minutes(10)))
struct ThreadsTests {
  private func run(_ links: [String], threads: Int, _ options: String...) throws -> Child {
    try Child(
      ["title", "-", "--threads", "\(threads)"] + options + TwoHosts.allowed,
      input: .text(links.map { "\($0)\n" }.joined()))
  }

  @Test(arguments: [1, 3]) func `rows, their order and the limits of hosts are the same`(threads: Int)
    async throws
  {
    let site = try TwoHosts()
    let links = (0..<200).map { number in
      number % 2 == 0
        ? site.url(.address, "/page/\(number)") : site.url(.name, "/to/127.0.0.1/page/\(number)")
    }
    let child = try run(links, threads: threads, "--ordered", "--per-host", "5")
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(try ended.rows().map { $0["input"] } == links)
    #expect(try ended.rows().allSatisfy { $0.outcome == "ok" })
    #expect(TwoHosts.Host.allCases.allSatisfy { site.most(at: $0) <= 5 })
  }

  @Test func `an interruption leaves a row for each link on each thread`() async throws {
    let site = try TwoHosts()
    let links = (0..<40).map { site.url($0 % 2 == 0 ? .address : .name, "/held/\($0)") }
    let child = try run(links, threads: 3, "--per-host", "6")
    try await child.awaits(site.requests, 12, "requests")
    child.interrupt()
    try await child.hasWritten(lines: 28)
    child.interrupt()
    let ended = try await child.ended()
    #expect(ended.status == 130)
    #expect(try Set(ended.rows().map(\.ordinal)) == Set(0..<40))
    #expect(try Set(ended.rows().map(\.outcome)) == ["cancelled"], "\(ended.output.suffix(600))")
  }
}
