import Foundation
import Pipeline
import PipelineTesting
import Testing
import TransportZeroMQ
import ZeroMQ

@testable import HalyardCLI

/// The keys of a fleet over TCP.
@Suite struct KeyTests {
  private func parse(_ words: String...) throws -> ParsedArguments { try fleetArguments(words) }

  @Test func `keys are read as they were written`() throws {
    let pair = try #require(CurveKeyPair.generate())
    let member = try #require(CurveKeyPair.generate())
    var members = MemberKeys()
    members.add(pair.publicKey, as: .aggregator)
    for role in [KeyRole.fetcher, .client] { members.add(member.publicKey, as: role) }
    let keys = KeyFile(own: member, members: members)
    #expect(keys.members.rights[member.publicKey] == [.client, .fetcher])
    #expect(KeyFile(keys.text) == keys)
    #expect(KeyFile("# mine\n\n" + keys.text) == keys)
    #expect(KeyFile("") == nil)
    #expect(KeyFile(keys.text + "more words\n") == nil)
    #expect(KeyFile(String(keys.text.dropLast(20))) == nil)
  }

  @Test func `each role has a key of its own, and is let in as what it is`() throws {
    let directory = try TemporaryDirectory()
    let (fleet, rack) = (directory.file("fleet-keys"), directory.file("rack-7.key"))
    let lines = try KeysCommand(parse("keys", "-o", fleet)).make().split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["fetcher", "decoder", "client"])
    _ = try KeysCommand(parse("keys", "--fleet-of", fleet, "--role", "fetcher", "-o", rack)).make()
    let files = try KeyRole.allCases.map { try KeyFile.read(fleet, for: $0) }
    #expect(Set(files.map(\.own.secretKey)).count == 4)
    let aggregator = try #require(try ZeroMQSettings(try parse("aggregator", "--key", fleet)).curve)
    #expect(aggregator.allowed[files[2].own.publicKey] == .decoder)
    #expect(throws: InputError.self) {
      try ZeroMQSettings(try parse("decoder", "--key", "\(fleet)/fetcher.key"))
    }
    let list = directory.file("allowed")
    let member = try KeyFile.read(rack, for: .fetcher).own.publicKey
    try Data("fetcher \(member.z85)\n".utf8).write(to: URL(filePath: list))
    let plan = try ZeroMQSettings(try parse("aggregator", "--key", fleet, "--allow-keys", list))
    #expect(plan.curve?.allowed == [files[0].own.publicKey: .aggregator, member: .fetcher])
    try Data("\(member.z85)\n".utf8).write(to: URL(filePath: list))
    #expect(throws: InputError.self) {
      try ZeroMQSettings(try parse("aggregator", "--key", fleet, "--allow-keys", list))
    }
  }

  @Test func `keys of a member are made with its role`() {
    for words in [["--fleet-of", "x"], ["--role", "client"], ["--fleet-of", "x", "--role", "aggregator"]] {
      #expect(throws: UsageError.self) { try KeysCommand(fleetArguments(["keys", "-o", "/x"] + words)) }
    }
  }
}
