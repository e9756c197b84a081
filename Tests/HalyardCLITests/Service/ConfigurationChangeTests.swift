import Assembly
import Links
import PipelineTesting
import Posix
import Testing

@testable import HalyardCLI

@Suite struct ConfigurationChangeTests {
  private func arguments(
    _ words: [String], _ environment: [String: String] = [:]
  ) throws -> ParsedArguments {
    guard case .run(let arguments) = try Invocation.parse(words, environment: environment) else {
      throw UsageError(rendered: "\(words) runs nothing")
    }
    return arguments
  }

  @Test func `what can change while a worker works is told apart from what cannot`() throws {
    let old = try arguments(["fetcher", "--timeout", "30s"])
    let new = try arguments(
      ["fetcher", "--timeout", "30s"],
      [
        "HALYARD_LOG_LEVEL": "debug", "HALYARD_ALLOW_ADDRESS": "10.0.0.0/8", "HALYARD_LOCALITY": "b",
        "HALYARD_TIMEOUT": "9s",
      ])
    let change = ConfigurationChange(from: old, to: new)
    #expect(change.applied == ["log-level", "allow-address"])
    #expect(change.needsRestart == ["locality"])
    #expect(ConfigurationChange(from: new, to: old) == change)
    let none = ConfigurationChange(from: old, to: old)
    #expect(none.applied.isEmpty && none.needsRestart.isEmpty)
    // Read once more, the same file changes nothing more, and what runs still needs its restart.
    let again = ConfigurationChange(from: new, to: new, of: old)
    #expect(again.applied.isEmpty && again.needsRestart == ["locality"])
    #expect(ConfigurationChange(from: new, to: old, of: old).needsRestart.isEmpty)
  }

  @Test func `addresses come from the option and from the files that it names`() throws {
    let directory = try TemporaryDirectory()
    let list = directory.file("addresses")
    try Descriptor.creatingSecret(path: list).writeAll(Array("# ours\n10.0.0.0/8\n\n  [::1]:8080 \n".utf8))
    let words = ["title", "http://a.test/", "--allow-address", "127.0.0.1", "--allow-address"]
    let named = try arguments(words + ["@\(list)"])
    let expected = try ["127.0.0.1", "10.0.0.0/8", "[::1]:8080"].map { try AllowedAddress($0) }
    #expect(try named.allowedAddresses() == expected)
    // What is found follows from what the file holds, and not from its name.
    let written = try arguments(words + ["10.0.0.0/8", "--allow-address", "[::1]:8080"])
    #expect(FindingSettings.hash(named) == FindingSettings.hash(written))
    let missing = try arguments(words + ["@/nobody/is/here"])
    let error = #expect(throws: UsageError.self) { try missing.allowedAddresses() }
    #expect(error?.rendered.hasPrefix("halyard: option '--allow-address': '/nobody/is/here': open: ") == true)
  }
}
