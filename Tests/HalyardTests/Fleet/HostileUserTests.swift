import Foundation
import PipelineTesting
import Posix
import Testing

/// Another user of the machine who was there first, and put files where a fleet or a run looks for its own.
@Suite(.timeLimit(.minutes(10)))
struct HostileUserTests {
  private static let isRoot = geteuid() == 0
  private static let stranger: uid_t = 65_534

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func plant(_ path: String, holding text: String = "") throws {
    try Descriptor.writing(path: path).writeAll(Array(text.utf8))
    #expect(unsafe lchown(path, Self.stranger, Self.stranger) == 0)
  }

  private func plantDirectory(_ path: String) throws {
    try makePrivateDirectory(path: path)
    #expect(unsafe lchown(path, Self.stranger, Self.stranger) == 0)
  }

  private func isRefused(_ words: String..., naming path: String) async throws {
    let ended = try await Child(words).ended()
    #expect(ended.status == 69 || ended.status == 65, "\(ended.messages)")
    #expect(
      ended.messages.contains("\(path) belongs to user 65534, who could change what is there"), "\(words)")
  }

  @Test(.enabled(if: isRoot))
  func `no command of a fleet uses a directory that somebody else made`() async throws {
    let (planted, run) = (folder.file("planted"), folder.file("planted/fleet"))
    try plantDirectory(planted)
    try makePrivateDirectory(path: run)
    for command in ["up", "aggregator", "fetcher", "decoder"] {
      try await isRefused(command, "--run-dir", run, naming: planted)
    }
    for command in ["status", "ping"] { try await isRefused(command, "--fleet", run, naming: planted) }
    try await isRefused("status", "--fleet", "ipc://\(run)/aggregator", naming: planted)
    #expect(fileNames(in: run).isEmpty)
  }

  @Test(.enabled(if: isRoot))
  func `the default directory of a fleet is refused too when somebody else made it`() async throws {
    let state = folder.file("state")
    try makePrivateDirectory(path: state)
    try plantDirectory("\(state)/halyard")
    try makePrivateDirectory(path: "\(state)/halyard/fleet")
    for command in ["up", "status"] {
      let ended = try await Child([command], environment: ["XDG_STATE_HOME": state]).ended()
      #expect(ended.status == 69, "\(ended.messages)")
      #expect(ended.messages.contains("\(state)/halyard belongs to user 65534"), "\(ended.messages)")
    }
    #expect(fileNames(in: "\(state)/halyard/fleet").isEmpty)
  }

  @Test func `the default directory of a fleet is its owner's alone, with all that is made on the way`()
    async throws
  {
    let home = folder.file("home")
    try makePrivateDirectory(path: home)
    let environment = ["HOME": home, "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": folder.file("runtime")]
    #expect(try await Child(["up", "--check"], environment: environment).ended().status == 0)
    for name in [".local", ".local/state", ".local/state/halyard", ".local/state/halyard/fleet"] {
      #expect(try FileFacts(at: "\(home)/\(name)")?.mode == 0o700, "\(name)")
    }
    #expect(try FileFacts(at: folder.file("runtime")) == nil)
  }

  @Test(.enabled(if: isRoot), arguments: ["address", "up.lock", "fleet.end", "fleet.log"])
  func `no fleet starts among files that somebody else left`(name: String) async throws {
    let run = folder.file("run")
    try makePrivateDirectory(path: run)
    try plant("\(run)/\(name)", holding: "ipc:///tmp/elsewhere\n")
    try await isRefused("up", "--run-dir", run, naming: "\(run)/\(name)")
    try await isRefused("up", "--check", "--run-dir", run, naming: "\(run)/\(name)")
    if name == "address" { try await isRefused("status", "--fleet", run, naming: "\(run)/\(name)") }
  }

  @Test(.enabled(if: isRoot), arguments: ["", "-wal", "-journal"])
  func `no run reads a ledger that somebody else left`(suffix: String) async throws {
    let ledger = folder.file("jobs.db")
    try plant(ledger + suffix)
    try await isRefused("title", "no link", "--ledger", ledger, naming: ledger + suffix)
  }

  @Test(.enabled(if: isRoot))
  func `no rows go into a file that somebody else made`() async throws {
    let rows = folder.file("rows.jsonl")
    try plant("\(rows).part")
    try await isRefused("title", "no link", "-o", rows, naming: "\(rows).part")
    #expect(try Descriptor.reading(path: "\(rows).part").readChunk().isEmpty)
  }

  @Test(.enabled(if: isRoot))
  func `no output goes into a file or pipe that somebody else left where everybody may add files`()
    async throws
  {
    #expect(unsafe chmod(folder.path, 0o1777) == 0)
    let (rows, page) = (folder.file("rows.jsonl"), folder.file("halyard.1"))
    for path in [rows, page] { try plant(path, holding: "theirs") }
    let pipe = folder.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o666) == 0 && lchown(pipe, Self.stranger, Self.stranger) == 0)
    for words in [
      ["title", "no link", "-o", rows], ["title", "no link", "-o", pipe], ["man", folder.path],
    ] {
      let ended = try await Child(words).ended()
      #expect(ended.status == 65, "\(words) \(ended.messages)")
      #expect(ended.messages.contains("belongs to user 65534, who could change what is there"), "\(words)")
    }
    #expect(try Descriptor.reading(path: rows).readChunk() == Array("theirs".utf8))
    #expect(try Descriptor.reading(path: page).readChunk() == Array("theirs".utf8))
  }

  @Test(.enabled(if: isRoot))
  func `no keys and no database go where a link of somebody else leads`() async throws {
    #expect(unsafe chmod(folder.path, 0o1777) == 0)
    let (ours, way) = (folder.file("ours"), folder.file("way"))
    try makePrivateDirectory(path: ours)
    #expect(unsafe symlink(ours, way) == 0 && lchown(way, Self.stranger, Self.stranger) == 0)
    for words in [["keys", "-o", "\(way)/fleet.key"], ["title", "no link", "-o", "\(way)/rows.sqlite"]] {
      let ended = try await Child(words).ended()
      #expect(ended.status == 65, "\(words) \(ended.messages)")
      #expect(ended.messages.contains("\(way) belongs to user 65534"), "\(words) \(ended.messages)")
    }
    #expect(fileNames(in: ours).isEmpty)
  }

  @Test func `a run directory that others may write to is refused, with what to do`() async throws {
    let run = folder.file("run")
    try makePrivateDirectory(path: run)
    #expect(unsafe chmod(run, 0o777) == 0)
    let ended = try await Child(["status", "--fleet", run]).ended()
    #expect(ended.status == 69)
    #expect(
      ended.messages
        == "halyard: \(run) can be changed by other users (mode 0777); run chmod go-w on it, or choose another place\n"
    )
  }

  @Test func `ledgers and run directories are their owner's alone`() async throws {
    let (ledger, run) = (folder.file("jobs.db"), folder.file("a/run"))
    #expect(try await Child(["title", "no link", "--ledger", ledger]).ended().status == 1)
    #expect(try FileFacts(at: ledger)?.mode == 0o600)
    #expect(try await Child(["up", "--check", "--run-dir", run]).ended().status == 0)
    #expect(try FileFacts(at: run)?.mode == 0o700)
    #expect(fileNames(in: run).isEmpty)
  }

  @Test func `a fleet's key that others can read is told by all who use it`() async throws {
    let run = folder.file("run")
    let fleet = try await UpFleet(in: folder)
    #expect(unsafe chmod("\(run)/run-key", 0o644) == 0)
    let words = "\(run)/run-key holds a secret that other users can read (mode 0644); run chmod 600 on it\n"
    for command in ["status", "ping", "batches"] {
      let ended = try await Child([command, "--fleet", run]).ended()
      #expect(ended.status == 69 && ended.messages == "halyard: \(words)", "\(ended.messages)")
    }
    #expect(unsafe chmod("\(run)/run-key", 0o600) == 0)
    #expect(try await Child(["ping", "--fleet", run]).ended().status == 0)
    try await fleet.stop()
  }

  @Test func `keys that others can read are refused`() async throws {
    let keys = folder.file("fleet.key")
    #expect(try await Child(["keys", "-o", keys]).ended().status == 0)
    #expect(unsafe chmod("\(keys)/client.key", 0o640) == 0)
    let ended = try await Child(["status", "--fleet", "tcp://127.0.0.1:1", "--key", keys]).ended()
    #expect(ended.status == 65)
    #expect(
      ended.messages.hasSuffix("holds a secret that other users can read (mode 0640); run chmod 600 on it\n"))
  }
}
