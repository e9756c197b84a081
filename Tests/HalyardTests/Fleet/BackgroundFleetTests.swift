import Foundation
import PipelineTesting
import Posix
import Testing

/// A fleet that is started in the background, started again, and ended.
@Suite(.timeLimit(.minutes(10)))
struct BackgroundFleetTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var run: String { directory.file("run") }

  private func halyard(_ words: String...) async throws -> Ended { try await Child(words).ended() }

  private func workers() async throws -> Int {
    let status = try await halyard("status", "--json", "--fleet", run, "--wait", "30s")
    #expect(status.status == 0, "\(status.messages)")
    return status.output.components(separatedBy: #""role":"#).count - 1
  }

  @Test func `a fleet in the background answers when its start returns`() async throws {
    let ledger = directory.file("jobs.db")
    let up = try await Child(
      ["up", "--detach", "--run-dir", run, "--fetchers", "2", "--", "--retries", "0"],
      environment: ["HALYARD_LEDGER": ledger]
    ).ended()
    #expect(up.status == 0, "\(up.messages)")
    #expect(up.output.isEmpty)
    #expect(up.messages.hasPrefix("halyard: the fleet runs as process "))
    #expect(up.messages.contains(" at ipc://\(run)/aggregator; its log is \(run)/fleet.log\n"))
    #expect(up.messages.hasSuffix(" status --fleet \(run)\n"))
    // A second fetcher may come a moment later.
    let deadline = Date(timeIntervalSinceNow: 60)
    while try await workers() < 3, Date() < deadline {}
    #expect(try await workers() == 3)
    #expect(try await halyard("doctor", "--fleet", run).output.contains(" \(ledger): "))

    let second = try await halyard("up", "--detach", "--run-dir", run)
    #expect(second.status == 69)
    #expect(second.messages.contains("a fleet runs in \(run) already, as process "))

    let down = try await halyard("down", "--run-dir", run)
    #expect(down.status == 0 && down.messages.hasSuffix("halyard: the fleet has ended\n"), "\(down.messages)")
    let left = try FileManager.default.contentsOfDirectory(atPath: run).sorted()
    #expect(left == ["fleet.ledger", "fleet.log", "run-key"])
    #expect(FileManager.default.fileExists(atPath: ledger))

    let nothing = try await halyard("down", "--run-dir", run)
    #expect(nothing.status == 69)
    #expect(
      nothing.messages == "halyard: no fleet runs in \(run)\ntry:   halyard up --detach --run-dir \(run)\n")
  }

  @Test func `a fleet in which everything is paused has started, and says so`() async throws {
    #expect(try await halyard("up", "--detach", "--run-dir", run).status == 0)
    #expect(try await halyard("pause", "--all", "--fleet", run).status == 0)
    let ping = try await halyard("ping", "--fleet", run, "--wait", "1s")
    #expect(ping.status == 69)
    #expect(ping.messages.contains("the echo did not come back: everything is paused since "))
    #expect(try await halyard("down", "--run-dir", run).status == 0)
    let up = try await halyard("up", "--detach", "--run-dir", run)
    #expect(up.status == 0)
    #expect(up.messages.hasPrefix("halyard: everything is paused since "), "\(up.messages)")
    #expect(try await halyard("down", "--run-dir", run).status == 0)
  }

  @Test func `a port that another fleet has is told, also where that fleet answers`() async throws {
    let keys = directory.file("keys")
    #expect(try await halyard("keys", "-o", keys).status == 0)
    let port = try Listener().port
    let tcp = ["--listen", "tcp://127.0.0.1:\(port)", "--key", keys]
    let first = try await Child(["up", "--detach", "--run-dir", directory.file("first")] + tcp).ended()
    #expect(first.status == 0, "\(first.messages)")
    let up = try await Child(["up", "--detach", "--run-dir", run] + tcp).ended()
    #expect(up.status == 69, "\(up.messages)")
    #expect(up.messages.contains(" is taken"), "\(up.messages)")
    #expect(try await halyard("down", "--run-dir", directory.file("first")).status == 0)
  }

  @Test func `a fleet that cannot start says why, and leaves nothing behind`() async throws {
    let up = try await halyard("up", "--detach", "--run-dir", run, "--ledger", "/no/such/ledger.db")
    #expect(up.status == 69)
    #expect(up.messages.hasPrefix("halyard: the fleet did not start; its log is \(run)/fleet.log\nhalyard: "))
    #expect(up.messages.contains("/no/such/ledger.db"))
    let left = try FileManager.default.contentsOfDirectory(atPath: run).sorted()
    #expect(left == ["fleet.end", "fleet.log", "run-key"])
  }

  @Test func `a fleet that ended over its ledger is not told to start again before that is mended`()
    async throws
  {
    #expect(try await halyard("up", "--detach", "--run-dir", run).status == 0)
    #expect(try await halyard("down", "--run-dir", run).status == 0)
    try Data(String(repeating: "no ledger at all ", count: 100).utf8).write(
      to: URL(filePath: "\(run)/ledger.db"))
    #expect(try await halyard("up", "--detach", "--run-dir", run).status == 69)
    let status = try await halyard("status", "--fleet", run)
    #expect(status.status == 69)
    #expect(
      status.messages.contains(": it ended by itself: a worker ended with exit code 78;"))
    #expect(status.messages.contains("its log is \(run)/fleet.log, with the error 'aggregator: "))
    #expect(status.messages.contains("ledger.db"), "\(status.messages)")
    #expect(
      status.messages.hasSuffix(
        "try:   halyard up --detach --run-dir \(run)   (with the options that it had)   (when that is mended)\n"
      )
    )
    try FileManager.default.removeItem(atPath: "\(run)/ledger.db")
    let anew = try await halyard("up", "--detach", "--run-dir", run)
    #expect(anew.status == 0)
    #expect(
      anew.messages.contains("it begins an empty one\n"), "\(anew.messages)")
    #expect(try await halyard("down", "--run-dir", run).status == 0)
    let ended = try await halyard("status", "--fleet", run)
    #expect(
      ended.messages == """
        halyard: no fleet answers at ipc://\(run)/aggregator: no process of it runs
        try:   halyard up --detach --run-dir \(run)   (with the options that it had)

        """)
  }

  @Test func `a variable that nothing reads is told once, and not by the workers`() async throws {
    let child = try Child(["up", "--run-dir", run], environment: ["HALYARD_FETCHERS": "4"])
    #expect(await child.messages.holds("the fleet is at ipc://", silenceAtMost: 20))
    #expect(try await halyard("ping", "--fleet", run, "--wait", "30s").status == 0)
    #expect(try await halyard("down", "--run-dir", run).status == 0)
    #expect(
      try await child.ended().messages.components(separatedBy: "HALYARD_FETCHERS is ignored").count == 2)
  }

  @Test func `two that end a fleet wait for the same end in order, and none waits for one that is stopped`()
    async throws
  {
    #expect(try await halyard("up", "--detach", "--run-dir", run).status == 0)
    let up = try #require(try FileClaim.holder(path: "\(run)/up.lock"))
    #expect(Foundation.kill(up, SIGSTOP) == 0)
    for words in [["down"], ["scale", "fetchers", "2"]] {
      let end = try await Child(words + ["--run-dir", run]).ended()
      #expect(end.status == 69)
      #expect(
        end.messages.hasSuffix(" process \(up) is stopped\ntry:   kill -CONT \(up)\n"), "\(end.messages)")
    }
    #expect(Foundation.kill(up, SIGCONT) == 0)
    async let first = halyard("down", "--run-dir", run)
    async let second = halyard("down", "--run-dir", run)
    let codes = try await [first.status, second.status]
    // The second may come when it is over.
    #expect(codes.contains(0) && codes.allSatisfy { [0, 69].contains($0) })
    let left = try FileManager.default.contentsOfDirectory(atPath: run).sorted()
    #expect(left == ["fleet.ledger", "fleet.log", "ledger.db", "ledger.db-reserve", "run-key"])
  }

  @Test func `the end of a fleet that was killed is the end of its workers`() async throws {
    let site = try TestSite()
    let up = try await Child(["up", "--detach", "--run-dir", run, "--"] + loopback + ["--timeout", "120s"])
      .ended()
    #expect(up.status == 0, "\(up.messages)")
    let process = try #require(try FileClaim.holder(path: "\(run)/up.lock"))
    let submit = try await Child(["submit", site.url("/held/1"), "--fleet", run]).ended()
    #expect(submit.status == 0, "\(submit.messages)")
    let down = try await {
      // Its fetcher is at work, and finishes that.
      #expect(await site.requests.reaches(1, within: 60))
      #expect(Foundation.kill(process, SIGKILL) == 0)
      return try Child(["down", "--run-dir", run])
    }()
    #expect(await down.messages.holds("the fleet was killed; waiting for its workers: ", silenceAtMost: 20))
    site.release()
    let end = try await down.ended()
    #expect(end.status == 0 && end.messages.hasSuffix("halyard: the fleet has ended\n"), "\(end.messages)")
    for name in fileNames(in: run) where name.hasSuffix("lock") {
      #expect(try FileClaim.holder(path: "\(run)/\(name)") == nil, "\(name)")
    }
    #expect(try await halyard("up", "--detach", "--run-dir", run).status == 0)
    #expect(try await halyard("down", "--run-dir", run).status == 0)
  }

  @Test func `workers of a fleet that was killed are not laid to the next one`() async throws {
    let site = try TestSite()
    let words = ["up", "--detach", "--run-dir", run, "--"] + loopback + ["--timeout", "120s"]
    #expect(try await Child(words).ended().status == 0)
    let former = try #require(try FileClaim.holder(path: "\(run)/up.lock"))
    #expect(try await halyard("submit", site.url("/held/1"), "--fleet", run).status == 0)
    #expect(await site.requests.reaches(1, within: 60))
    // The next fleet is not to begin this job anew.
    #expect(try await halyard("pause", "--all", "--fleet", run).status == 0)
    #expect(Foundation.kill(former, SIGKILL) == 0)
    let next = try await Child(words).ended()
    #expect(next.status == 0, "\(next.messages)")
    let down = try Child(["down", "--run-dir", run])
    #expect(
      await down.messages.holds(
        "the fleet has ended; waiting for workers of one before it, which was killed: ", silenceAtMost: 80))
    site.release()
    let end = try await down.ended()
    #expect(!end.messages.contains("the fleet was killed"), "\(end.messages)")
  }

  @Test func `a new fleet that starts while the old one ends is left alone`() async throws {
    let site = try TestSite()
    let up = try await Child(["up", "--detach", "--run-dir", run, "--"] + loopback + ["--timeout", "120s"])
      .ended()
    #expect(up.status == 0, "\(up.messages)")
    let former = try #require(try FileClaim.holder(path: "\(run)/up.lock").flatMap { try OtherProcess($0) })
    let submit = try await Child(["submit", site.url("/held/1"), "--fleet", run]).ended()
    #expect(submit.status == 0, "\(submit.messages)")
    #expect(await site.requests.reaches(1, within: 60))
    let down = try Child(["down", "--run-dir", run])
    #expect(await down.messages.holds("waiting for ", silenceAtMost: 60))
    down.send(SIGSTOP)
    site.release()
    #expect(try former.hasEnded(within: 60_000))
    let new = try await halyard("up", "--detach", "--run-dir", run)
    down.send(SIGCONT)
    #expect(new.status == 0, "\(new.messages)")
    let end = try await down.ended()
    #expect(end.status == 0 && !end.messages.contains("was killed"), "\(end.messages)")
    #expect(try await workers() == 2)
    #expect(try await halyard("down", "--run-dir", run).status == 0)
  }

  @Test func `a wrong option is told before anything starts`() async throws {
    let up = try await halyard("up", "--detach", "--run-dir", run, "--", "--per-hosts", "4")
    #expect(up.status == 64)
    #expect(!FileManager.default.fileExists(atPath: run))
  }

  @Test func `a long log makes room for a new one`() async throws {
    try FileManager.default.createDirectory(
      atPath: run, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let log = "\(run)/fleet.log"
    #expect(FileManager.default.createFile(atPath: log, contents: nil))
    #expect(unsafe truncate(log, 11 << 20) == 0)
    #expect(try await halyard("up", "--detach", "--run-dir", run).status == 0)
    #expect(try await halyard("down", "--run-dir", run).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(log).1")).count == 11 << 20)
    let new = try String(contentsOfFile: log, encoding: .utf8)
    #expect(new.contains(" the fleet is at ipc://") && new.hasSuffix(" aggregator stopped\n"))
  }
}
