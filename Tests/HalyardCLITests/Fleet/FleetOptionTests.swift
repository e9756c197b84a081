import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing
import TransportZeroMQ

@testable import Assembly
@testable import HalyardCLI

@Suite(.timeLimit(.minutes(10)))
struct FleetOptionTests {
  private func parse(_ words: String..., environment: [String: String] = [:]) throws -> ParsedArguments {
    try fleetArguments(words, environment: environment)
  }

  @Test(arguments: [
    ("/run/h", "ipc:///run/h/aggregator", "/run/h"), ("/run/h/", "ipc:///run/h/aggregator", "/run/h"),
    ("ipc:///run/h/other", "ipc:///run/h/other", "/run/h"),
    ("tcp://10.0.0.1:7700", "tcp://10.0.0.1:7700", nil),
  ])
  func `a fleet is named by its directory or its address`(text: String, address: String, directory: String?) {
    #expect(FleetPlace(text).address.text == address)
    #expect(FleetPlace(text).directory == directory)
  }

  @Test func `who stays waits longer for a fleet that has answered, unless told how long`() throws {
    let timeouts = FleetTimeouts(try parse("watch"))
    #expect(timeouts.firstMilliseconds == 5_000 && timeouts.laterMilliseconds == 300_000)
    let told = FleetTimeouts(try parse("watch", "--wait", "7s"))
    #expect(told.firstMilliseconds == 7_000 && told.laterMilliseconds == 7_000)
  }

  @Test func `a directory tells where its fleet listens instead`() throws {
    let directory = try TemporaryDirectory()
    let far = FleetPlace("tcp://127.0.0.1:7700")
    let home = try RunDirectory(checking: directory.path)
    try home.keep(far, of: directory.path)
    // Nobody runs it.
    #expect(try home.place() == nil)
    let claim = try FileClaim(path: directory.file(RunDirectory.lock))
    #expect(try home.place() == far)
    let note = try Descriptor.reading(path: directory.file(RunDirectory.note))
    // The next one that starts there needs no room for what is written already.
    #expect(try home.keep(far, of: directory.path))
    #expect(note.isFile(at: directory.file(RunDirectory.note)))
    withExtendedLifetime(claim) {}
    try home.keep(FleetPlace(directory.path), of: directory.path)
    #expect(try home.place() == nil)
  }

  @Test func `the default fleet is the user's own`() {
    let home = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7"]
    // A logout clears the runtime directory, and with it a ledger.
    #expect(FleetPlace.defaultDirectory(home) == "/home/ann/.local/state/halyard/fleet")
    #expect(
      FleetPlace.defaultDirectory(home.merging(["XDG_STATE_HOME": "/state"]) { $1 }) == "/state/halyard/fleet"
    )
    #expect(
      FleetPlace.defaultDirectory(home.merging(["XDG_STATE_HOME": "here"]) { $1 })
        == "/home/ann/.local/state/halyard/fleet")
    #expect(FleetPlace.defaultDirectory([:]).hasPrefix("/tmp/halyard-"))
  }

  @Test func `a process at all addresses of its machine is called by the machine's name`() throws {
    let lanes = try ZeroMQSettings(try parse("status", "--bind", "tcp://*:0"))
    #expect(lanes.advertisedHost == hostName)
  }

  @Test func `a variable says where to be reached`() throws {
    let arguments = try parse("status", environment: ["HALYARD_BIND": "tcp://*:0"])
    #expect(arguments[FleetOption.bind] == "tcp://*:0")
  }

  @Test func `a name always makes the same batch, and another one another`() {
    let monday = BatchText.id(named: "monday")
    #expect(monday == BatchText.id(named: "monday"))
    #expect(monday != BatchText.id(named: "Monday"))
    #expect(monday.description == "dd782ca1-c233-74eb-8b52-dec3f69e8da4")
    let ids = Set((0..<10_000).map { JobID(batch: BatchText.id(named: "\($0)"), ordinal: 0) })
    #expect(ids.count == 10_000)
  }

  @Test func `options behind two dashes go to the workers that have them`() throws {
    let up = try parse(
      "up", "--fetchers", "2", "--", "--allow-address", "10.0.0.0/8", "--per-host=4", "--log-level", "info")
    let split = try WorkerOptions.split(up.operands, of: up.command)
    #expect(split["fetcher"] == ["--log-level", "info", "--allow-address", "10.0.0.0/8"])
    #expect(
      split["aggregator"] == ["--log-level", "info", "--per-host", "4", "--allow-address", "10.0.0.0/8"])
    #expect(split["decoder"] == ["--log-level", "info"])
  }

  @Test func `a worker reads what up was told, however it is written`() throws {
    let up = try parse(
      "up", "--", "--user-agent=--x", "--no-respect-robots", "--timeout=1500ms", "--no-sandbox")
    let split = try WorkerOptions.split(up.operands, of: up.command)
    let aggregator = try fleetArguments(["aggregator"] + #require(split["aggregator"]))
    #expect(aggregator[LinkOption.userAgent] == "--x")
    #expect(aggregator.isSet(LinkOption.respectRobots) && !aggregator[LinkOption.respectRobots])
    #expect(try fleetArguments(["fetcher"] + #require(split["fetcher"]))[LinkOption.timeout] == 1_500)
    #expect(try fleetArguments(["decoder"] + #require(split["decoder"]))[FleetOption.noSandbox])
  }

  @Test(arguments: [["--fetchers", "3"], ["--run-dir", "/x"], ["word"], ["--per-host", "none"]])
  func `what no worker has is refused behind two dashes`(words: [String]) throws {
    let up = try fleetArguments(["up", "--"] + words)
    #expect(throws: UsageError.self) { try WorkerOptions.split(up.operands, of: up.command) }
  }

  @Test func `what comes before two dashes is told from what no worker has`() throws {
    let up = try fleetArguments(["up", "--", "--per-host", "4", "--ledger=/l.db"])
    let error = #expect(throws: UsageError.self) { try WorkerOptions.split(up.operands, of: up.command) }
    #expect(error?.rendered.contains("option '--ledger' belongs before the '--'") == true)
  }

  @Test func `an option of a worker before two dashes is sent behind them`() throws {
    let error = #expect(throws: UsageError.self) { try parse("up", "--per-host", "4") }
    #expect(error?.rendered.contains("option '--per-host' is for the workers: put it after '--'") == true)
    let own = #expect(throws: UsageError.self) { try parse("up", "--bind", "ipc:///b") }
    #expect(own?.rendered.contains("unknown option '--bind'") == true, "up sets it itself")
  }

  @Test func `a fleet that would start next is the one that did not answer`() {
    func next(_ fleet: String) -> String {
      FleetSilent(address: FleetPlace(fleet).address, milliseconds: 0).next([:])
    }
    #expect(next(FleetPlace.defaultDirectory([:])) == "halyard up --detach   (another fleet with --fleet)")
    #expect(next("/srv/my fleet") == "halyard up --detach --run-dir '/srv/my fleet'")
    #expect(next("ipc:///srv/other") == "halyard up --detach --listen ipc:///srv/other")
    for address in ["tcp://127.0.0.1:1", "tcp://localhost:1"] {
      #expect(next(address) == "halyard up --detach --listen \(address)")
    }
    #expect(next("tcp://[::1]:7700") == "halyard up --detach --listen 'tcp://[::1]:7700'")
    let far = "halyard status   (on the fleet's machine, where 'halyard up' starts it)"
    #expect(next("tcp://10.0.0.1:7700") == far)
  }

  @Test func `only jobs that a fleet had before are told apart from new ones`() {
    #expect(SubmissionEnd(jobs: 4, new: 4).known == "")
    #expect(SubmissionEnd(jobs: 4, new: 1).known == ": 1 new, 3 known already")
  }

  @Test func `a hint repeats the fleet, in the words of the call`() throws {
    let plain = NextCommand(after: try parse("submit", "http://a.test/"), program: "scripts/halyard")
    #expect(
      plain("results", "my batch", "--follow") == "try:   scripts/halyard results 'my batch' --follow\n")
    let far = NextCommand(
      after: try parse("submit", "--fleet", "tcp://10.0.0.1:1", "--key", "k", "http://a.test/"),
      program: "halyard")
    #expect(far("status") == "try:   halyard status --fleet tcp://10.0.0.1:1 --key k\n")
    let variable = NextCommand(
      after: try parse("status", environment: ["HALYARD_FLEET": "/run/h"]), program: "halyard")
    #expect(variable("status") == "try:   halyard status\n")
  }

  @Test func `lines of jobs are known wherever they stand`() {
    var map = LineMap()
    for line in [2, 3, 7, 8, 9, 20] { map.add(line: line) }
    #expect((0..<6).map { map.place(of: $0).line } == [2, 3, 7, 8, 9, 20])
  }

  @Test func `up ends fetchers before decoders, and those before the aggregator`() throws {
    let up = try parse("up", "--fetchers", "2", "--decoders", "3", "--ledger", "/l.db", "--run-dir", "/run/h")
    let plans = try FleetPlan(up, directory: "/run/h", FleetPlace("/run/h")).all
    #expect(
      plans.map(\.name) == ["aggregator", "decoder 1", "decoder 2", "decoder 3", "fetcher 1", "fetcher 2"])
    #expect(plans.map(\.stage) == [2, 1, 1, 1, 0, 0])
    let common = ["--run-dir", "/run/h", "--until-input-ends"]
    let listen = ["--listen", "ipc:///run/h/aggregator", "--ledger", "/l.db"]
    #expect(plans[0].arguments == ["aggregator"] + common + listen)
    #expect(plans[5].arguments == ["fetcher"] + common + ["--fleet", "ipc:///run/h/aggregator"])
    for plan in plans { #expect(throws: Never.self) { try fleetArguments(plan.arguments) } }
  }

  @Test func `up tells its workers which file of settings counts`() throws {
    let up = try parse("up", "--config", "/c.toml", "--run-dir", "/run/h")
    for plan in try FleetPlan(up, directory: "/run/h", FleetPlace("/run/h")).all {
      #expect(plan.arguments.contains(["--config", "/c.toml"]))
    }
  }

  @Test(arguments: [
    ["results"], ["results", "monday", "--json", "--format", "csv"], ["cancel", "1", "2"],
    ["submit", "--batch", "monday", "http://a.test/"],
    ["submit", "--batch", "x", "--name", "y", "http://a.test/"], ["up", "word"],
    ["status", "--fleet", "tcp://10.0.0.1:7700"], ["fetcher", "--fleet", "tcp://10.0.0.1:7700"], ["keys"],
    ["status", "--allow-keys", "/x"], ["status", "--fleet", "tcp:/10.0.0.1:7700"],
    ["status", "--fleet", "http://a.test/"], ["status", "--fleet", "10.0.0.1:7700"],
    ["up", "--listen", "tcp:10.0.0.1:7700"],
  ])
  func `a command line that makes no sense is a usage error`(words: [String]) async {
    await #expect(throws: UsageError.self) {
      let arguments = try fleetArguments(words)
      _ = try await arguments.command.run(CommandContext(arguments: arguments))
    }
  }

  @Test(arguments: LinkCommandRefusal.all)
  func `what the fleet decides is not the command's to say`(refusal: LinkCommandRefusal) {
    let error = #expect(throws: UsageError.self) {
      let arguments = try fleetArguments(["title", "--fleet", "/run/h", "http://a.test/"] + refusal.words)
      try arguments.refuseFleetsOwn()
    }
    #expect(error?.rendered.contains("option '\(refusal.words[0])': the fleet has its own") == true)
  }

  @Test(arguments: [("--ledger", "to 'halyard up'\n"), ("--retries", "to 'halyard up', behind '--'\n")])
  func `what the fleet decides is sent where it is taken`(flag: String, place: String) {
    let error = #expect(throws: UsageError.self) {
      try parse("title", "--fleet", "/run/h", "http://a.test/", flag, "1").refuseFleetsOwn()
    }
    #expect(error?.rendered.contains("the fleet has its own; give it \(place)") == true)
  }

  @Test func `a variable that sets a limit does not keep links from a fleet`() throws {
    let arguments = try parse(
      "title", "--fleet", "/run/h", "http://a.test/", environment: ["HALYARD_CONCURRENCY": "9"])
    #expect(throws: Never.self) { try arguments.refuseFleetsOwn() }
  }

  @Test(arguments: [
    ("fetcher-17-a-b-c0de", true), ("fetcher-17-a-b-c0de.lock", true), ("client-17-a-b-1", true),
    ("worker-17-a-b-lock", true), ("fetcher-18-a-b-c0de", false),
    // Of the same machine before it started anew, and of another one.
    ("fetcher-18-a-x-c0de", true), ("fetcher-17-x-b-c0de", false), ("worker-17-x-b-lock", false),
    ("ledger.db", false), ("up.lock", false), ("aggregator", false), ("my-17-a-b-notes", false),
    ("fetcher--1-a-b-2", false),
  ])
  func `only sockets of processes that are gone are swept away`(name: String, isLeftOver: Bool) {
    let mark = MachineMark(machine: "a", boot: "b")
    #expect(RunDirectory.isLeftOver(name, at: mark) { $0 == 18 } == isLeftOver)
  }

  @Test func `a fleet of another machine that shares the directory is left alone`() throws {
    let directory = try TemporaryDirectory()
    // As another machine holds it, whose process has the id of one that is here.
    let claim = try FileClaim(path: directory.file(RunDirectory.lock))
    let words = "the fleet in \(directory.path) runs on another machine, which shares the directory"
    for use in [{ _ = try RunningFleet.process(in: $0) }, { _ = try RunningFleet.claimed($0) }]
      as [(String) throws -> Void]
    {
      #expect(#expect(throws: FleetRefusal.self) { try use(directory.path) }?.words == words)
    }
    let silent = FleetSilent(address: FleetPlace(directory.path).address, milliseconds: 0)
    #expect(silent.next([:]) == "halyard status   (on the fleet's machine, where 'halyard up' starts it)")
    withExtendedLifetime(claim) {}
    #expect(RunDirectory.worker(lockedBy: "worker-1-000000-0000-lock") == nil)
    #expect(RunDirectory.worker(lockedBy: RunDirectory.workerLock(of: 1)) == 1)
  }
}

struct LinkCommandRefusal: CustomTestStringConvertible {
  var words: [String]
  var testDescription: String { words[0] }

  static let all = [
    ["--concurrency", "1"], ["--per-host", "1"], ["--host-delay", "1s"], ["--max-hops", "1"],
    ["--timeout", "1s"],
    ["--max-body", "4K"], ["--retries", "1"], ["--retry-budget", "50%"], ["--give-up", "never"],
    ["--user-agent", "me"],
    ["--allow-address", "10.0.0.1"],
    ["--ledger", "/l.db"], ["--header", "X-A: 1"], ["--cookie", "a=1"],
  ].map { LinkCommandRefusal(words: $0) }
}

struct NotACommand: Error {}

func fleetArguments(_ words: [String], environment: [String: String] = [:]) throws -> ParsedArguments {
  guard case .run(let arguments) = try Invocation.parse(words, environment: environment) else {
    throw NotACommand()
  }
  return arguments
}
