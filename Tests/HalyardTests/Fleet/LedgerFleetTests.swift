import Foundation
import JSONQuery
import PipelineTesting
import Posix
import SQLite
import Testing

/// The command `ledger`, on a fleet of processes and on a file.
@Suite(.timeLimit(.minutes(10)))
struct LedgerFleetTests {
  private static let count = 3_000
  private let directory: TemporaryDirectory
  private let list = (0..<count).map { "echo:\($0)\n" }.joined()

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var file: String { directory.file("run/ledger.db") }

  private func ledger(_ words: [String]) async throws -> Ended { try await Child(["ledger"] + words).ended() }

  private func filled(_ fleet: UpFleet) async throws {
    let submitted = try await Child(
      ["submit", "-", "--kind", "echo", "--name", "echoes"] + fleet.words, input: .text(list)
    ).ended()
    #expect(submitted.status == 0, "\(submitted.messages)")
    let rows = try await Child(["results", "echoes", "--follow", "-o", "/dev/null"] + fleet.words).ended()
    #expect(rows.status == 0, "\(rows.messages)")
  }

  @Test func `a fleet's ledger is measured, copied, checked, exported, pruned and compacted while it runs`()
    async throws
  {
    let fleet = try await UpFleet(in: directory)
    try await filled(fleet)
    let size = try await ledger(["size"] + fleet.words)
    #expect(size.output.contains("0 open, \(Self.count) done, 0 failed, 0 cancelled, in 1 batch"))
    let backup = directory.file("copy.db")
    let copied = try await ledger(["backup", backup] + fleet.words)
    #expect(copied.status == 0 && copied.output.hasSuffix(" copied to \(backup)\n"), "\(copied.messages)")
    #expect(try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int == 0o600)
    let again = try await ledger(["backup", backup] + fleet.words)
    #expect(again.status == 65 && again.messages.contains("replaces none"), "\(again.messages)")
    let checked = try await ledger(["check"] + fleet.words)
    #expect(checked.status == 0 && checked.output == "the ledger is sound\n", "\(checked.messages)")
    let rows = try await ledger(["export"] + fleet.words).rows()
    #expect(Set(rows.compactMap { $0["id"] }).count == Self.count)
    let database = directory.file("run/rows.sqlite")
    #expect(try await ledger(["export", "-o", database] + fleet.words).status == 0)
    let kinds = "SELECT count(*) FROM rows WHERE kind = 'echo' AND status = 'ok' AND attempts = 1"
    #expect(try Connection(path: database).integer(kinds) == Int64(Self.count))
    let unknown = try await ledger(["export", "--batch", "nowhere"] + fleet.words)
    #expect(
      unknown.status == 65 && unknown.messages.contains("nowhere: the fleet has no batch of this id or name"))
    let dry = try await ledger(["prune", "--batch", "echoes", "--unread", "--dry-run"] + fleet.words)
    #expect(dry.output == "\(Self.count) jobs can be deleted\n")
    let pruned = try await ledger(["prune", "--batch", "echoes", "--unread"] + fleet.words)
    #expect(pruned.output == "\(Self.count) jobs deleted\n", "\(pruned.messages)")
    let compacted = try await ledger(["compact", "--json"] + fleet.words).rows()
    #expect(compacted.first?["state"] == "done")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? .max < 300_000)
    #expect(try await ledger(["export"] + fleet.words).output.isEmpty)
    try await fleet.stop()

    let here = ["--ledger", backup]
    #expect(try await ledger(["check"] + here).output == "the ledger is sound\n")
    #expect(try await ledger(["export", "--batch", "echoes"] + here).rows().count == Self.count)
    #expect(try await ledger(["prune", "--state", "done", "--unread"] + here).status == 0)
    #expect(try await ledger(["compact"] + here).output.hasSuffix(" given back to the disk\n"))
    #expect(try await ledger(["size", "--json"] + here).rows().first?["jobs.done"] == "0")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["copy.db", "run"])
  }

  @Test func `a file that a process has open, and one that is not there, are refused`() async throws {
    let fleet = try await UpFleet(in: directory)
    let busy = try await ledger(["size", "--ledger", file])
    let up = try #require(try FileClaim.holder(path: directory.file("run/up.lock")))
    let uses = "halyard: ledger \(file): a fleet uses it, process \(up); leave out --ledger\n"
    #expect(busy.status == 69 && busy.messages.hasPrefix(uses), "\(busy.messages)")
    let missing = try await ledger(["size", "--ledger", directory.file("none.db")])
    #expect(missing.status == 65 && missing.messages.hasSuffix("there is no such ledger\n"))
    #expect(!FileManager.default.fileExists(atPath: directory.file("none.db")))
    try await fleet.stop()
  }

  @Test func `a ledger that is removed under a fleet is missed, and the next start says that it is empty`()
    async throws
  {
    let fleet = try await UpFleet(in: directory)
    try await filled(fleet)
    try FileManager.default.removeItem(atPath: file)
    var status = try await fleet.status()
    while status["health"] != "degraded" { status = try await fleet.status() }
    #expect(status["reason"]?.contains("was removed while the fleet uses it") == true)
    let doctor = try await Child(["doctor"] + fleet.words).ended()
    #expect(
      doctor.status == 1 && doctor.output.contains("trouble  ledger       ledger \(file) was removed while"))
    #expect(!doctor.output.contains("--ledger"), "\(doctor.output)")
    let refused = try await Child(
      ["submit", "-", "--kind", "echo", "--name", "more"] + fleet.words, input: .text(list)
    ).ended()
    #expect(
      refused.status == 69 && refused.messages.contains("ledger \(file) was removed"), "\(refused.messages)")
    #expect(!refused.messages.contains("--name"), "\(refused.messages)")
    let down = ["down", "--run-dir", directory.file("run")]
    let kept = try await Child(down).ended()
    #expect(
      kept.status == 69 && kept.messages.contains("was removed while the fleet uses it"), "\(kept.messages)")
    let pause = "\ntry:   halyard pause --all --fleet \(directory.file("run"))\n"
    #expect(kept.messages.contains(pause), "\(kept.messages)")
    #expect(kept.messages.contains("\n       halyard down --force --run-dir "), "\(kept.messages)")
    let backup = directory.file("saved.db")
    #expect(try await ledger(["backup", backup] + fleet.words).status == 0)
    #expect(try await ledger(["export", "--ledger", backup]).rows().count == Self.count)
    #expect(try await Child(down + ["--force"]).ended().status == 0)
    #expect(try await fleet.up.ended().status == 0)

    let next = try await UpFleet(in: directory)
    #expect(next.up.messages.text.contains("a fleet ran here before, and there is no ledger"))
    let begun = try await next.status()
    #expect(begun["health"] == "degraded" && begun["reason"]?.contains("an empty one was begun") == true)
    try await next.stop()
  }

  @Test func `a reader that lives through a restore hears that rows may be others, and begins anew`()
    async throws
  {
    let fleet = try await UpFleet(in: directory)
    let (backup, rows) = (directory.file("saved.db"), directory.file("rows.jsonl"))
    #expect(try await Child(["pause", "--host", "127.0.0.1"] + fleet.words).ended().status == 0)
    let open = ["submit", "-", "--name", "open"] + fleet.words
    #expect(try await Child(open, input: .text("no link\nhttp://127.0.0.1:1/\n")).ended().status == 0)
    let read = ["results", "open", "-o", rows] + fleet.words
    let reader = try Child(read + ["--follow"])
    while fileNames(in: directory.path).allSatisfy({ !$0.hasPrefix("rows.jsonl") || size(of: $0) == 0 }) {
      await Task.yield()
    }
    #expect(try await ledger(["backup", backup] + fleet.words).status == 0)
    try await fleet.stop()
    for suffix in ["", "-wal", "-shm"] { _ = try? FileManager.default.removeItem(atPath: file + suffix) }
    try FileManager.default.moveItem(atPath: backup, toPath: file)
    let next = try await UpFleet(in: directory)
    let ended = try await reader.ended()
    #expect(ended.status == 69)
    #expect(ended.messages.contains("a copy was put in place of the fleet's ledger"), "\(ended.messages)")
    #expect(ended.messages.contains("; the same command begins anew"), "\(ended.messages)")
    let again = try await Child(read).ended()
    #expect(again.messages.contains("1 ") && !again.messages.contains("going on"), "\(again.messages)")
    try await next.stop()
  }

  @Test func `an export names a batch that is pruned while its rows are read, and has the others whole`()
    async throws
  {
    let fleet = try await UpFleet(in: directory)
    try await filled(fleet)
    let more = ["submit", "-", "--kind", "echo", "--name", "more"] + fleet.words
    #expect(try await Child(more, input: .text("echo:a\necho:b\n")).ended().status == 0)
    #expect(
      try await Child(["results", "more", "--follow", "-o", "/dev/null"] + fleet.words).ended().status == 0)
    let pipe = directory.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let export = try Child(["ledger", "export", "-o", pipe] + fleet.words)
    let reader = try #require(FileHandle(forReadingAtPath: pipe))
    var rows = try #require(try reader.read(upToCount: 1_000))
    #expect(try await ledger(["prune", "--batch", "echoes", "--unread"] + fleet.words).status == 0)
    rows += try reader.readToEnd() ?? Data()
    let ended = try await export.ended()
    #expect(
      ended.status == 69 && ended.messages.contains(" is gone, and not all of its rows came"),
      "\(ended.messages)")
    let lines = String(decoding: rows, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.contains("echo:a") || $0.contains("echo:b") } == 2)
    #expect(lines.count < Self.count)
    try await fleet.stop()
  }

  private func size(of name: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: directory.file(name))[.size] as? Int) ?? 0
  }
}
