import Foundation
import JSONQuery
import PipelineTesting
import Posix
import Testing

/// A whole fleet of processes, and the commands that talk to it.
@Suite(.timeLimit(.minutes(10)))
struct FleetTests {
  private static let count = 60

  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private var runDirectory: String { directory.file("run") }
  private var fleet: [String] { ["--fleet", runDirectory, "--wait", "30s"] }
  private var list: String {
    (0..<Self.count).map { "\(site.url("/page/\($0)"))\n" }.joined() + "no link at all\n"
  }

  private func start(_ options: String..., workers: [String] = []) async throws -> Child {
    try await UpFleet(options, workers: ["--retries", "0"] + workers, in: directory).up
  }

  private func stop(_ up: Child) async throws {
    up.terminate()
    let end = try await up.ended()
    #expect(end.status == 0, "\(end.messages)")
    #expect(end.messages.hasSuffix(" aggregator stopped\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: runDirectory).sorted()
        == ["fleet.ledger", "ledger.db", "ledger.db-reserve", "run-key"])
  }

  private func killAll(of up: Child) async throws {
    up.kill()
    for worker in up.workers { Foundation.kill(worker.process, SIGKILL) }
    #expect(try await up.ended().status == 128 + 9)
  }

  /// Rows without what differs from run to run.
  private func comparable(_ ended: Ended) throws -> [String] {
    let own = ["id", "batch", "ms", "hops", "fetched_at"]
    return try ended.rows().map { row in
      row.value.members.filter { !own.contains($0.key) }.map { "\($0.key) \($0.value.minified)" }
        .joined(separator: ", ")
    }
  }

  @Test func `an aggregator without workers is reachable, and not well`() async throws {
    let aggregator = try Child(["aggregator", "--run-dir", runDirectory])
    let status = try await Child(["status"] + fleet).ended()
    #expect(status.status == 1 && status.output.contains("degraded"), "\(status.messages)")
    #expect(try await Child(["status", "--reachable"] + fleet).ended().status == 0)
    aggregator.terminate()
    _ = try await aggregator.ended()
    #expect(try await Child(["status", "--reachable", "--fleet", runDirectory]).ended().status == 69)
  }

  @Test func `a fleet does what one process does`() async throws {
    let up = try await start("--fetchers", "2", "--decoders", "2")
    let alone = try await Child(["title", "-", "--ordered"] + loopback, input: .text(list)).ended()
    let submitted = try await Child(["submit", "-", "--json"] + fleet, input: .text(list)).ended()
    #expect(submitted.status == 0, "\(submitted.messages)")
    let answer = try #require(try submitted.rows().first)
    #expect(answer["differing"] == "0")
    #expect(answer["jobs"] == "\(Self.count + 1)" && answer["new"] == "\(Self.count + 1)")
    let batch = try #require(answer["batch"])
    let rows = try await Child(["results", batch, "--follow", "--ordered"] + fleet).ended()
    #expect(rows.status == 1)
    #expect(try comparable(rows) == comparable(alone))
    let again = try await Child(["results", batch, "--ordered"] + fleet).ended()
    #expect(again.output == rows.output)
    let direct = try await Child(["title", "-", "--ordered"] + fleet.prefix(2), input: .text(list)).ended()
    #expect(direct.status == 1)
    #expect(try comparable(direct) == comparable(alone))
    try await stop(up)
  }

  @Test func `a fleet obeys robots.txt and keeps what it found, as its workers are told`() async throws {
    let site = RobotsSite("User-agent: *\nDisallow: /private\n")
    let links = ["/a", "/private/b", "/c"].map(site.url)
    let up = try await start("--fetchers", "2", workers: ["--respect-robots", "--cache", "1h"])
    for cached in [nil, "true"] {
      let ended = try await Child(["title", "--ordered"] + links + fleet).ended()
      #expect(ended.status == 1, "\(ended.messages)")
      let rows = try ended.rows()
      #expect(rows.map(\.outcome) == ["ok", "robots", "ok"])
      #expect(rows.map { $0["cached"] } == [cached, nil, cached])
      #expect(rows.map { $0["title"] } == ["/a", nil, "/c"])
    }
    let asked = site.asked
    #expect(asked.filter { $0 != "/robots.txt" }.sorted() == ["/a", "/c"])
    // Each fetcher asks for itself.
    #expect((1...2).contains(asked.count { $0 == "/robots.txt" }))
    try await stop(up)
  }

  @Test(arguments: ["", "a\nb", "a\u{1B}[2J"])
  func `a name that cannot be seen is refused`(name: String) async throws {
    let submit = try await Child(["submit", "-", "--name", name] + fleet, input: .text("http://a.test/\n"))
      .ended()
    #expect(submit.status == 64)
    #expect(submit.messages.contains("it has to be text that can be seen"))
  }

  @Test func `a batch can be submitted again, cancelled and requeued`() async throws {
    let up = try await start()
    let held = (0..<4).map { "\(site.url("/held/\($0)"))\n" }.joined()
    let words = ["submit", "-", "--name", "monday", "--json"] + fleet
    let first = try #require(try await Child(words, input: .text(held)).ended().rows().first)
    #expect(first["new"] == "4")
    let second = try #require(try await Child(words, input: .text(held)).ended().rows().first)
    #expect(second["new"] == "0" && second["batch"] == first["batch"])
    let batch = try #require(first["batch"])
    let cancel = try await Child(["cancel", batch, "--cause", "enough", "--json"] + fleet).ended()
    #expect(try cancel.rows().first?["cancelled"] == "4")
    let rows = try await Child(["results", batch, "--follow"] + fleet).ended()
    #expect(try rows.rows().map(\.outcome) == Array(repeating: "cancelled", count: 4))
    #expect(rows.status == 1)
    let third = try await Child(words, input: .text(held)).ended()
    #expect(
      third.messages.contains(
        "halyard: 4 jobs of the batch 'monday' will not run, because it was cancelled\n"))
    #expect(third.messages.hasSuffix("try:   the same list under another --name\n"))
    let cancelAgain = try await Child(["cancel", "monday"] + fleet).ended()
    #expect(cancelAgain.output == "0 jobs cancelled\n")
    let watch = try await Child(["watch", "monday"] + fleet).ended()
    #expect(watch.status == 1 && watch.output == "4 jobs, 0 done, 0 failed, 4 cancelled, 0 open\n")
    let other = try await Child(words, input: .text("http://other.test/\n")).ended()
    #expect(other.status == 65)
    #expect(try other.rows().first?["new"] == "0")
    #expect(try await Child(["watch", "monday"] + fleet).ended().output == watch.output)
    #expect(other.messages.contains("1 job is not what the batch 'monday' has in the same place"))
    #expect(other.messages.contains("the first is line 1 of standard input"))
    let nothing = try await Child(["submit", "-", "--name", "empty"] + fleet, input: .text("")).ended()
    #expect(nothing.status == 65 && nothing.messages == "halyard: standard input: no jobs in the input\n")
    #expect(try await Child(["results", "empty"] + fleet).ended().status == 65)
    let requeue = try await Child(["requeue", batch] + fleet).ended()
    #expect(requeue.output == "0 jobs requeued\n")
    let status = try await Child(["status", "--json"] + fleet).ended()
    #expect(status.status == 0)
    #expect(try status.rows().first?["batches"]?.contains(batch) == true)
    site.release()
    try await stop(up)
  }

  @Test func `what dies is replaced, and the batch goes on`() async throws {
    let up = try await start("--fetchers", "2")
    let held = (0..<8).map { "\(site.url("/held/\($0)"))\n" }.joined()
    let follower = try Child(["title", "-"] + fleet, input: .text(held))
    try await follower.awaits(site.requests, 8, "requests")
    for worker in up.workers { Foundation.kill(worker.process, SIGKILL) }
    site.release()
    let end = try await follower.ended()
    #expect(end.status == 0, "\(end.messages)")
    #expect(try end.rows().map(\.ordinal).sorted() == Array(0..<8))
    try await stop(up)
    #expect(up.messages.text.contains("was killed by signal 9"))
  }

  @Test func `a stop lets fetchers finish while there are decoders, and says whom it waits for`() async throws
  {
    let running = try await UpFleet(["--fetchers", "2"], workers: ["--retries", "0"], in: directory)
    // Or one fetcher could have all of the links.
    _ = try await running.workers(3)
    let up = running.up
    let held = (0..<8).map { "\(site.url("/held/\($0)"))\n" }.joined()
    let words = ["submit", "-", "--name", "held"] + fleet
    #expect(try await Child(words, input: .text(held)).ended().status == 0)
    try await up.awaits(site.requests, 8, "requests")
    up.terminate()
    #expect(await up.messages.holds("waiting for fetcher 1, fetcher 2 to finish", silenceAtMost: 20))
    site.release()
    let end = try await up.ended()
    #expect(end.status == 0, "\(end.messages)")
    let stopped = end.messages.split(separator: "\n").filter { $0.hasSuffix(" stopped") }.map {
      $0.split(separator: " ").dropFirst(4).joined(separator: " ")
    }
    #expect(Set(stopped.prefix(2)) == ["fetcher 1 stopped", "fetcher 2 stopped"])
    #expect(stopped.suffix(2) == ["decoder 1 stopped", "aggregator stopped"])
  }

  @Test func `a fleet that is not there is named, with what to do`() async throws {
    let end = try await halyard("status", "--fleet", runDirectory, "--wait", "200ms")
    #expect(end.status == 69)
    #expect(
      end.messages == """
        halyard: no fleet answers at ipc://\(runDirectory)/aggregator within 200ms: no process of it runs
        try:   halyard up --detach --run-dir \(runDirectory)

        """)
    // Unless it is told how long to wait, it does not wait for what is not there.
    let now = try await halyard("status", "--fleet", runDirectory)
    #expect(
      now.messages.hasPrefix("halyard: no fleet answers at ipc://\(runDirectory)/aggregator: no process"))
    let far = try await halyard("status", "--fleet", "tcp://127.0.0.1:7", "--wait", "200ms")
    #expect(far.status == 69)
    #expect(far.messages.hasPrefix("halyard: tcp://127.0.0.1:7: all users of this machine reach it"))
    let size = try await halyard("ledger", "size", "--fleet", runDirectory)
    #expect(size.messages.hasSuffix("\n       halyard ledger size --ledger FILE\n"), "\(size.messages)")
    let worker = try await halyard("fetcher", "--fleet", runDirectory, "--run-dir", directory.file("own"))
    #expect(worker.status == 69 && worker.messages.contains("fleet in \(runDirectory): open: No such file"))
  }

  @Test func `a ledger that cannot be used ends the fleet at once`() async throws {
    let end = try await halyard("up", "--run-dir", runDirectory, "--ledger", "/no/such/ledger.db")
    #expect(end.status == 69)
    #expect(end.messages.contains("/no/such/ledger.db"))
    #expect(!end.messages.contains("starts again"))
  }

  @Test func `a ledger in use ends the fleet at once too`() async throws {
    let up = try await start()
    let other = directory.file("other")
    let end = try await halyard("up", "--run-dir", other, "--ledger", "\(runDirectory)/ledger.db")
    #expect(end.status == 69)
    #expect(end.messages.contains("another aggregator or command is using it"))
    try await stop(up)
  }

  @Test func `a directory leads to a fleet that listens on TCP`() async throws {
    let listen = ["--listen", "tcp://127.0.0.1:\(try Listener().port)"]
    let refused = try await Child(["up", "--run-dir", runDirectory] + listen).ended()
    #expect(refused.status == 69)
    #expect(refused.messages.contains("all users of this machine reach it, and there are no keys"))
    let up = try Child(["up", "--run-dir", runDirectory, "--insecure-transport"] + listen)
    #expect(await up.messages.holds("the fleet is at tcp://", silenceAtMost: 20))
    let ping = try await Child(["ping", "--insecure-transport"] + fleet).ended()
    #expect(ping.status == 0, "\(ping.messages)")
    try await stop(up)
  }

  @Test func `a fleet that falls silent is waited for, and said to be back`() async throws {
    let up = try await start()
    let follower = try Child(["title", site.url("/held/1"), "--fleet", runDirectory])
    try await follower.awaits(site.requests, 1, "requests")
    try await killAll(of: up)
    #expect(await follower.messages.holds("the fleet does not answer; waiting", silenceAtMost: 20))
    let again = try await start()
    #expect(await follower.messages.holds("the fleet answers again", silenceAtMost: 20))
    site.release()
    #expect(try await follower.ended().status == 0)
    try await stop(again)
  }

  @Test func `Ctrl-C does not wait for a fleet that is gone, and says how to read its batch`() async throws {
    let up = try await start()
    let rows = directory.file("rows.jsonl")
    let follower = try Child(["title", site.url("/held/1"), "--fleet", runDirectory, "-o", rows])
    try await follower.awaits(site.requests, 1, "requests")
    try await killAll(of: up)
    #expect(await follower.messages.holds("the fleet does not answer; waiting", silenceAtMost: 20))
    follower.interrupt()
    let end = try await follower.ended(within: 10)
    #expect(end.status == 130)
    #expect(end.messages.contains("halyard: the fleet goes on with what it has of this run"))
    #expect(end.messages.contains(" results ") && end.messages.hasSuffix(" --fleet \(runDirectory)\n"))
  }

  @Test func `a second fleet in the same directory is refused`() async throws {
    let up = try await start()
    let second = try await halyard("up", "--run-dir", runDirectory)
    #expect(second.status == 69)
    #expect(second.messages.contains("a fleet runs in \(runDirectory) already, as process "))
    try await stop(up)
  }

  @Test func `workers end with the one that started them`() async throws {
    let up = try await start()
    up.kill()
    // Their standard error is the pipe that is read to its end.
    #expect(try await up.ended(within: 20).status == 128 + 9)
  }
}
