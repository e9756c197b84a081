import Foundation
import JSONQuery
import PipelineTesting
import Posix
import Testing

/// What the holder of a key can do in a fleet over TCP, whatever it claims.
@Suite(.timeLimit(.minutes(5)))
struct MemberRightsTests {
  private let directory: TemporaryDirectory
  private let fleetKeys: String

  init() throws {
    directory = try TemporaryDirectory()
    fleetKeys = directory.file("keys")
  }

  /// A key file of this role's key, with the lines that a thief would write for it.
  private func stolen(_ role: String, claiming claims: [String]) throws -> String {
    var lines = try String(contentsOfFile: "\(fleetKeys)/\(role).key", encoding: .utf8).split(separator: "\n")
      .map(String.init)
    let key = try #require(lines.first { $0.hasPrefix("public ") }).dropFirst("public ".count)
    lines.removeAll { line in claims.contains { line.hasPrefix($0) } }
    let path = directory.file("stolen-\(role).key")
    let text = (claims.map { "\($0) \(key)" } + lines).map { $0 + "\n" }.joined()
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func freeAddress() throws -> String {
    "tcp://127.0.0.1:\(try Listener().port)"
  }

  @Test func `a decoder's key neither asks nor submits nor fetches`() async throws {
    #expect(try await Child(["keys", "-o", fleetKeys]).ended().status == 0)
    let address = try freeAddress()
    let fleet = try await UpFleet(["--listen", address, "--key", fleetKeys], reach: ["--key", fleetKeys])
    let key = try stolen("decoder", claiming: ["client", "fetcher"])
    let way = ["--fleet", address, "--bind", "tcp://127.0.0.1:0", "--key", key]
    for command in [["ping"], ["submit", "http://a.test/"], ["cancel", "--batch", "x"]] {
      #expect(try await Child(command + way + ["--wait", "2s"]).ended().status != 0)
    }
    let asked = try await refusedQuestions(fleet)
    #expect(asked > 0)
    let fetcher = try Child(["fetcher", "--run-dir", directory.file("thief")] + loopback + way)
    // It does not even hear how the fleet fetches.
    while try await refusedQuestions(fleet) == asked {}
    fetcher.kill()
    try await fleet.stop()
  }

  /// How many questions were refused, of a fleet that has its own workers and no batch.
  private func refusedQuestions(_ fleet: UpFleet) async throws -> Int {
    try Task.checkCancellation()
    let status = try await fleet.status().value
    #expect(status["batches"].map { Array($0.elements) }?.isEmpty == true)
    #expect(status["workers"].map { Array($0.elements) }?.count == 2)
    return try #require(status["refused_messages"]?["client"]?.numberText.flatMap { Int($0) })
  }

  @Test func `a member's key does not make it the aggregator`() async throws {
    #expect(try await Child(["keys", "-o", fleetKeys]).ended().status == 0)
    let address = try freeAddress()
    let key = try stolen("client", claiming: ["aggregator"])
    let thief = try Child([
      "aggregator", "--run-dir", directory.file("thief"), "--listen", address, "--key", key,
    ])
    #expect(await thief.messages.holds(" ledger=", silenceAtMost: 60), "\(thief.messages.text)")
    let ping = ["ping", "--fleet", address, "--bind", "tcp://127.0.0.1:0", "--wait", "2s", "--key"]
    let deceived = try await Child(ping + [fleetKeys]).ended()
    #expect(deceived.status == 69)
    #expect(deceived.messages.contains("it has another key than expected"), "\(deceived.messages)")
    thief.kill()
  }
}
