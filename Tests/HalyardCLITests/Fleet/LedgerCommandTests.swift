import Pipeline
import Posix
import Testing

@testable import HalyardCLI

struct LedgerCommandTests {
  private func parsed(_ words: String...) throws -> ParsedArguments {
    guard case .run(let arguments) = try Invocation.parse(["ledger"] + words, environment: [:]) else {
      throw UsageError("no command", command: CommandTable.ledger)
    }
    return arguments
  }

  @Test(
    arguments: [
      (["siz"], "unknown verb 'siz' — did you mean 'size'?"),
      (["size", "--state", "done"], "option '--state' is for 'prune'"),
      (["prune", "--batch", "a", "-o", "f"], "option '--output' is for 'export'"),
      (["compact", "--batch", "a"], "option '--batch' is for 'prune' and 'export'"),
      (["check", "file"], "unexpected argument 'file'"),
    ])
  func `what does not belong together is refused`(words: [String], problem: String) throws {
    let error = #expect(throws: UsageError.self) {
      guard case .run(let arguments) = try Invocation.parse(["ledger"] + words, environment: [:]) else {
        return
      }
      _ = try LedgerVerb(arguments)
    }
    #expect(error?.rendered.hasPrefix("halyard: \(problem)\n") == true, "\(error?.rendered ?? "")")
  }

  @Test func `a copy is refused before it is made when its directory is missing`() {
    let error = #expect(throws: InputError.self) { try LedgerBackup(target: "/nonesuch/x.db").checkTarget() }
    #expect(error?.problem == "there is no directory /nonesuch")
  }

  @Test func `a full disk is named by the directory that was wanted, with what the copy takes`() {
    let full = LedgerBackup.words(for: PosixError(call: "write", code: 28), "/mnt/x/y.db", 343_100_000)
    #expect(full == "the disk of /mnt/x is full; make room there for 343.1 MB, and try again")
    let other = LedgerBackup.words(for: PosixError(call: "write", code: 5), "/mnt/x/y.db", 343_100_000)
    #expect(other == "write: Input/output error")
  }

  @Test func `prune needs to know what`() throws {
    #expect(throws: UsageError.self) { try ForgettingChoice(try parsed("prune", "--unread")) }
    let arguments = try parsed("prune", "--older-than", "2d", "--state", "failed", "--dry-run")
    #expect(arguments[LedgerOption.olderThan] == Int64(2 * 86_400_000))
    #expect(try ForgettingChoice(arguments) == ForgettingChoice(end: .dead, onlyCounts: true))
    let batch = try ForgettingChoice(try parsed("prune", "--batch", "monday", "--unread"))
    #expect(batch == ForgettingChoice(batch: BatchText("monday").id, unconfirmedToo: true))
  }

  @Test func `the size is told by part`() throws {
    let json =
      #"{"verb":"size","state":"done","bytes":343100000,"parts":{"data":342000000,"free":999,"log":1500},"#
      + #""oldest":1700000000000,"jobs":{"ready":2,"leased":1,"failed":3,"done":40,"cancelled":5},"#
      + #""batches":1,"prunable":{"jobs":48,"read":0,"bytes":340000000}}"#
    #expect(
      try LedgerText(Array(json.utf8)).lines(pruned: ForgettingChoice()) == [
        "  343.1 MB  in all", "  342.0 MB  jobs, rows and cached answers",
        "     999 B  free, used for new data",
        "    1.5 kB  log of the last commits", "       0 B  kept back for a full disk",
        "jobs  3 open, 40 done, 3 failed, 5 cancelled, in 1 batch",
        "oldest  complete since 2023-11-14T22:13:20.000Z",
        "prune  can delete 48 jobs, about 340.0 MB; without --unread 0",
        "compact  can give back what is free",
      ])
  }

  @Test func `what was done is told in a line, and why nothing was`() throws {
    func lines(_ json: String, pruned choice: ForgettingChoice = ForgettingChoice()) throws -> [String] {
      try LedgerText(Array(json.utf8)).lines(pruned: choice)
    }
    let all = ForgettingChoice(unconfirmedToo: true)
    #expect(try lines(#"{"verb":"prune","state":"done","jobs":1}"#, pruned: all) == ["1 job deleted"])
    #expect(
      try lines(
        #"{"verb":"prune","state":"done","jobs":0}"#, pruned: ForgettingChoice(onlyCounts: true)) == [
          "0 jobs can be deleted; 'halyard batches --state complete' lists those that could go, with their ages"
            + "; without --unread, jobs stay whose rows no reader has confirmed: 'results' confirms none"
        ])
    var open = ForgettingChoice(unconfirmedToo: true)
    open.batch = BatchText.id(named: "monday")
    #expect(
      try lines(#"{"verb":"prune","state":"done","jobs":0}"#, pruned: open) == [
        "0 jobs deleted; there is no such batch, or it is open and keeps all of its jobs"
      ])
    #expect(
      try lines(#"{"verb":"compact","state":"done","bytes":2000000}"#) == ["2.0 MB given back to the disk"])
    #expect(
      try lines(#"{"verb":"backup","state":"done","bytes":5,"path":"/a"}"#) == ["5 B copied to /a"])
    let failed = try LedgerText(Array(#"{"verb":"prune","state":"failed","cause":"disk full"}"#.utf8))
    #expect(failed.failure == "disk full")
    let halfway = #"{"verb":"prune","state":"failed","jobs":250,"cause":"disk full"}"#
    #expect(try LedgerText(Array(halfway.utf8)).failure == "disk full; 250 jobs deleted before that")
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_949, "999.9 kB"), (999_960, "1.0 MB"),
      (5_250_000_000, "5.3 GB"), (7_000_000_000_000_000, "7000.0 TB"),
    ] as [(Int64, String)])
  func `a size for people has one decimal`(bytes: Int64, text: String) {
    #expect(Quantity.about(bytes) == text)
  }

  @Test func `a failure that there is not is refused with the nearest`() throws {
    let words = ["requeue", "monday", "--failed-kind"]
    #expect(
      try fleetArguments(words + ["timeout,http_status"])[JobOption.failedKind] == [.timeout, .httpStatus])
    #expect(try fleetArguments(["requeue", "monday"])[JobOption.failedKind].isEmpty)
    let error = #expect(throws: UsageError.self) {
      try fleetArguments(words + ["time-out"])
    }
    #expect(
      error?.rendered.hasPrefix(
        "halyard: option '--failed-kind': 'time-out' is no kind of failure; the nearest are timeout, ")
        == true)
  }
}
