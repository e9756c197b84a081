import Foundation
import JSONQuery
import PipelineTesting
import Posix
import Testing

/// What SIGHUP does to the processes of a fleet.
@Suite(.timeLimit(.minutes(5)))
struct ReloadTests {
  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private func write(_ text: String, to name: String) throws -> String {
    let path = directory.file(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  @Test func `a list of allowed addresses changes without a restart`() async throws {
    let list = try write("# none yet\n", to: "addresses")
    let up = try Child([
      "up", "--run-dir", directory.file("run"), "--", "--retries", "0", "--timeout", "120s",
      "--allow-address", "@\(list)",
    ])
    let fleet = ["--fleet", directory.file("run"), "--wait", "60s"]
    #expect(try await Child(["ping"] + fleet).ended().status == 0)
    func outcome(_ page: String) async throws -> String? {
      try await Child(["title", site.url("/page/\(page)")] + fleet).ended().rows().first?.outcome
    }
    #expect(try await outcome("1") == "blocked_address")
    let fetcher = "fetcher \(try up.process(of: "fetcher 1"))"
    _ = try write("127.0.0.0/8\n", to: "addresses")
    up.hangUp()
    #expect(
      await up.messages.holds(
        "info \(fetcher) configuration read again changed=allow-address", silenceAtMost: 60))
    #expect(try await outcome("2") == "ok")
    _ = try write("no address\n", to: "addresses")
    up.hangUp()
    #expect(
      await up.messages.holds(
        "error \(fetcher) configuration not read again, all stays as it was cause=", silenceAtMost: 60))
    #expect(try await outcome("3") == "ok")
    up.terminate()
    #expect(try await up.ended().status == 0)
  }

  @Test func `a settings file that has not changed changes nothing`() async throws {
    let list = "log-level = \"debug\"\nallow-address = [\"127.0.0.0/8\"]\nper-host = 3\n"
    let settings = try write(list, to: "config.toml")
    let fleet = try await UpFleet(["--config", settings], workers: nil)
    for worker in ["aggregator", "fetcher 1"] {
      let name = "\(worker.prefix { $0 != " " }) \(try fleet.up.process(of: worker))"
      fleet.up.hangUp()
      #expect(
        await fleet.up.messages.holds(
          "info \(name) configuration read again changed=nothing\n", silenceAtMost: 60))
    }
    let page = try await Child(["title", site.url("/page/1")] + fleet.words).ended()
    #expect(try page.rows().first?.outcome == "ok")
    try await fleet.stop()
  }

  @Test func `what up itself would do otherwise needs a restart, and it says so`() async throws {
    let settings = try write("[up]\ndecoders = 1\n", to: "config.toml")
    let up = try Child(["up", "--run-dir", directory.file("run"), "--config", settings])
    let fleet = ["--fleet", directory.file("run"), "--wait", "60s"]
    #expect(try await Child(["ping"] + fleet).ended().status == 0)
    _ = try write("[up]\ndecoders = 2\n", to: "config.toml")
    up.hangUp()
    #expect(await up.messages.holds("'halyard up' needs a restart for decoders", silenceAtMost: 60))
    up.terminate()
    #expect(try await up.ended().status == 0)
  }

  @Test func `with a settings file that cannot be read, up keeps its decoders`() async throws {
    let settings = try write("per-host = 3\n", to: "config.toml")
    let fleet = try await UpFleet(["--config", settings], workers: nil)
    _ = try write("per-hots = 3\n", to: "config.toml")
    fleet.up.hangUp()
    #expect(
      await fleet.up.messages.holds(
        "configuration not read again, all decoders stay as they are: ", silenceAtMost: 60))
    #expect(try await Child(["ping"] + fleet.words).ended().status == 0)
    try await fleet.stop()
    #expect(!fleet.up.messages.text.contains("ended to read its files"), "\(fleet.up.messages.text)")
    #expect(!fleet.up.messages.text.contains("exit code 64"))
  }

  @Test func `a fleet changes its keys while it runs`() async throws {
    let (key, other) = (directory.file("fleet.key"), directory.file("other.key"))
    let (first, second) = (directory.file("first.key"), directory.file("second.key"))
    for file in [first, second] { #expect(try await Child(["keys", "-o", file]).ended().status == 0) }
    func put(_ file: String, at path: String) throws {
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: file, toPath: path)
    }
    try put(first, at: key)
    let free = try Listener().port
    let fleet = try await UpFleet(
      ["--listen", "tcp://127.0.0.1:\(free)", "--key", key, "--also-key", other],
      reach: ["--key", first])
    let aggregator = "aggregator \(try fleet.up.process(of: "aggregator"))"
    let place = Array(fleet.words.prefix(4))
    func ping(_ keys: String...) async throws -> Int32 {
      try await Child(["ping"] + place + keys).ended().status
    }
    func reloads(_ changed: String) async throws {
      fleet.up.hangUp()
      #expect(
        await fleet.up.messages.holds(
          "info \(aggregator) configuration read again changed=\(changed)\n", silenceAtMost: 60))
    }
    try put(second, at: other)
    try await reloads("allow-keys,also-key")
    #expect(try await ping("--key", first) == 0)
    #expect(try await ping("--key", second, "--also-key", first) == 0)
    try put(second, at: key)
    try put(first, at: other)
    try await reloads("also-key,key")
    #expect(try await ping("--key", first, "--also-key", second) == 0)
    #expect(try await ping("--key", second) == 0)
    try FileManager.default.removeItem(atPath: other)
    try await reloads("allow-keys,also-key")
    #expect(try await ping("--key", second) == 0)
    #expect(
      try await Child(["ping", "--fleet", place[1], "--wait", "2s", "--key", first, "--also-key", second])
        .ended().status == 69)
    let status = try await Child(["status", "--json"] + place + ["--key", second]).ended()
    let refused = try #require(try status.rows().first?.value["refused_peers"]?["latest"])
    #expect(refused.elements.contains { $0["key"]?.string?.utf8.count == 40 })
    let keyless = ["ping", "--fleet", "tcp://127.0.0.1:\(free)", "--insecure-transport", "--wait", "2s"]
    #expect(try await Child(keyless).ended().status == 69)
    #expect(
      fleet.up.messages.text.contains("client refused: it has no key, or expects another one of this fleet"))
    try await fleet.stop()
  }

  @Test func `a log that was moved away is made anew`() async throws {
    let log = directory.file("fleet.log")
    let up = try Child(
      ["up", "--run-dir", directory.file("run")], redirection: Child.Redirection(words: "2>>\(log)"))
    let ping = try await Child(["ping", "--fleet", directory.file("run"), "--wait", "60s"]).ended()
    #expect(ping.status == 0)
    try FileManager.default.moveItem(atPath: log, toPath: "\(log).1")
    up.hangUp()
    up.terminate()
    #expect(try await up.ended().status == 0)
    let (old, new) = (
      try String(contentsOfFile: "\(log).1", encoding: .utf8),
      try String(contentsOfFile: log, encoding: .utf8)
    )
    #expect(old.contains("the fleet is at") && !old.contains("log opened anew"))
    #expect(new.contains(" log opened anew: \(log)\n") && new.hasSuffix(" aggregator stopped\n"))
  }
}
