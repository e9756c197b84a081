import Assembly
import FoundationEssentials
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import HalyardCLI
@testable import Roles

/// What is said of a fleet that does not answer, from the files in its run directory.
@Suite struct FleetTroubleTests {
  private let directory: TemporaryDirectory
  private var run: String { directory.path }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var silent: FleetSilent {
    var silent = FleetSilent(address: FleetPlace(run).address, milliseconds: 0)
    silent.directory = run
    return silent
  }

  private func note(_ lines: String...) throws {
    try Data(lines.map { "\($0)\n" }.joined().utf8).write(to: URL(filePath: directory.file("fleet.ledger")))
  }

  @Test func `a fleet that would start next gets its ledger and its address back`() throws {
    let start = "halyard up --detach --run-dir \(run)"
    try note("\(run)/ledger.db")
    #expect(silent.next([:]) == "\(start)   (with the options that it had)")
    try note("/srv/my jobs.db", "ipc://\(run)/aggregator")
    let ledger = "halyard up --detach --ledger '/srv/my jobs.db' --run-dir \(run)"
    #expect(silent.next([:]) == "\(ledger)   (with the options that it had)")
    try note("\(run)/ledger.db", "tcp://127.0.0.1:7700")
    let tcp = "halyard up --detach --listen tcp://127.0.0.1:7700 --run-dir \(run)"
    #expect(silent.next([:]) == "\(tcp)   (with the options that it had)")
    #expect(silent.words == "no fleet answers at tcp://127.0.0.1:7700: no process of it runs")
  }

  @Test func `workers that outlive a killed fleet are named`() throws {
    let worker = try FileClaim(path: directory.file(RunDirectory.workerLock(of: processID)))
    #expect(silent.words.hasSuffix(": it was killed; its workers finish their jobs: process \(processID)"))
    #expect(silent.next([:]) == "halyard down --run-dir \(run)   (waits for them)")
    withExtendedLifetime(worker) {}
  }

  @Test func `workers of a killed fleet are told from those of one that ended in order`() {
    #expect(
      DownCommand.waiting(for: [17, 18], former: [])
        == "halyard: the fleet was killed; waiting for its workers: 17, 18\n")
    #expect(DownCommand.waiting(for: [17, 18], former: [18]).contains("the fleet was killed"))
    #expect(
      DownCommand.waiting(for: [18], former: [17, 18])
        == "halyard: the fleet has ended; waiting for workers of one before it, which was killed: 18\n")
  }

  @Test func `all is paused before the data of a missing ledger is saved`() {
    let lines = DownCommand.saving(in: "/my run").split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0] == "halyard pause --all --fleet '/my run'")
    #expect(lines[1].hasPrefix("       halyard ledger backup FILE --fleet '/my run'   (when "))
    #expect(lines[2].hasPrefix("       halyard down --force --run-dir '/my run'   (then "))
  }

  @Test func `a pause has the user's name, also without a variable for it`() {
    #expect(PauseCommand.author(["USER": "ann", "LOGNAME": "bob"]) == "ann@\(hostName)")
    #expect(PauseCommand.author(["LOGNAME": "bob"]) == "bob@\(hostName)")
    #expect(PauseCommand.author([:]) == "\(userName ?? "user \(userID)")@\(hostName)")
  }

  @Test func `who mistypes a socket of a run directory learns where its fleet listens`() throws {
    try Data("/ledger.db\nipc://\(run)/aggregator\n".utf8).write(
      to: URL(filePath: directory.file("fleet.ledger")))
    let claims = [try FileClaim(path: directory.file("aggregator.lock"))] + (try RunningFleet.claimed(run))
    let mistyped = FleetSilent(address: Address("ipc://\(run)/agregator"), milliseconds: 1_000)
    #expect(
      mistyped.words.hasSuffix(
        ": no such socket is there; the fleet of this directory listens at ipc://\(run)/aggregator"))
    #expect(mistyped.next([:]) == "halyard status --fleet ipc://\(run)/aggregator")
    withExtendedLifetime(claims) {}
  }

  @Test(arguments: [
    (
      "halyard: option '--allow-address': 'bogus' is neither\nusage: halyard aggregator\ntry:   halyard aggregator --help",
      "option '--allow-address': 'bogus' is neither"
    ),
    (
      #"{"time":"t","level":"error","role":"aggregator","process":9,"event":"no room","cause":"it is full"}"#,
      "aggregator: no room: it is full"
    ),
    ("<3>aggregator: no room", "aggregator: no room"),
    (
      "2026-11-27T17:00:00.000Z error aggregator 18 no room cause=\"it is full\"",
      "aggregator: no room cause=\"it is full\""
    ),
  ])
  func `the last error is the cause, whatever the form of the log`(lines: String, cause: String) throws {
    let ends = [
      "2026-11-27T17:00:01.000Z error up 17 aggregator ended with exit code 64, and would again",
      #"{"time":"t","level":"error","role":"up","process":17,"event":"aggregator ended with exit code 64, and would again"}"#,
    ]
    let log = ([lines] + ends).joined(separator: "\n") + "\n"
    try Data(log.utf8).write(to: URL(filePath: directory.file("fleet.log")))
    #expect(try FleetLog(in: RunDirectory(checking: run)).lastError == cause)
  }

  @Test func `up that is ending is not said to start its aggregator again`() throws {
    let claims = try RunningFleet.claimed(run)
    #expect(silent.words.contains("starts it again"))
    try FleetEnd.keep(64, in: RunDirectory(checking: run))
    #expect(
      silent.words.contains("'halyard up', process \(processID), is ending: a worker ended with exit code 64")
    )
    #expect(silent.next([:]).hasPrefix("halyard down --run-dir "))
    withExtendedLifetime(claims) {}
  }

  @Test func `what a fleet said before it was started again is not its last error`() throws {
    let log = """
      halyard: cfg.toml:1:1: unknown setting 'banana'
      2026-11-27T17:00:00.000Z info up 17 the fleet is at ipc:///f/aggregator

      """
    try Data(log.utf8).write(to: URL(filePath: directory.file("fleet.log")))
    func lastError() throws -> String? { try FleetLog(in: RunDirectory(checking: run)).lastError }
    #expect(try lastError() == nil)
    let more = "2026-11-27T17:00:01.000Z error fetcher 18 no room\n"
    try Data((log + more).utf8).write(to: URL(filePath: directory.file("fleet.log")))
    #expect(try lastError() == "fetcher: no room")
  }

  @Test func `a port that nothing listens at is told from a fleet that does not know the key`() throws {
    let listener = try Listener()
    let heard = FleetSilent(address: FleetPlace("tcp://127.0.0.1:\(listener.port)").address, milliseconds: 0)
    #expect(heard.words.contains("something listens there and does not answer"))
    #expect(heard.next([:]).hasPrefix("halyard status --fleet tcp://127.0.0.1:\(listener.port) --key FILE"))
    let mistyped = FleetPlace("tcp://127.0.0.one:\(listener.port)")
    #expect(mistyped.loopbackPort == nil && mistyped.hostName == "127.0.0.one")
    let unnamed = FleetSilent(address: mistyped.address, milliseconds: 0)
    #expect(unnamed.words.contains("'getent hosts 127.0.0.one' says whether its name is known"))
    #expect(FleetPlace("tcp://10.0.0.1:1").hostName == nil && FleetPlace("tcp://[::2]:1").hostName == nil)
    let unheard = FleetSilent(address: FleetPlace("tcp://127.0.0.1:1").address, milliseconds: 0)
    #expect(unheard.words == "no fleet answers at tcp://127.0.0.1:1: nothing listens there")
    let state = ["XDG_STATE_HOME": directory.path]
    #expect(unheard.next(state) == "halyard up --detach --listen tcp://127.0.0.1:1")
    let home = FleetPlace.defaultDirectory(state)
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let fleet = try RunningFleet.claimed(home)
    #expect(unheard.next(state) == "halyard status --fleet \(home)   (a fleet runs there)")
    #expect(unheard.next(["HALYARD_RUN_DIR": home]).contains("--fleet \(home)   (a fleet runs there)"))
    let mark = LedgerMark(home: try RunDirectory(checking: home), path: "/l.db")
    mark.keep(Address("tcp://127.0.0.1:2"))
    #expect(unheard.next(state) == "halyard status --fleet \(home) --key FILE   (a fleet runs there)")
    withExtendedLifetime(fleet) {}
  }

  @Test func `a change that is not confirmed says how it may stand, and how the fleet is`() throws {
    let unconfirmed = ChangeUnconfirmed(
      silence: FleetSilent(address: Address("ipc:///f/aggregator"), milliseconds: 5_000))
    let words = unconfirmed.words("host a.test is paused", nil)
    #expect(
      words
        == "halyard: not confirmed: the fleet at ipc:///f/aggregator did not say within 5s that host a.test is paused."
        + " Either it is, or it will not be: look, and say it again if it is not\n")
    let fleet = try StatusText(Array(#"{"health":"degraded","reason":"no room"}"#.utf8))
    #expect(unconfirmed.words("x", fleet).hasSuffix("if it is not; the fleet is degraded: no room\n"))
  }
}
