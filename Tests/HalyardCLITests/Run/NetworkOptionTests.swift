import Testing

@testable import HalyardCLI

/// The way to servers is said alike to all commands that ask them.
@Suite struct NetworkOptionTests {
  @Test(arguments: ["unfurl", "title", "decode", "explain", "aggregator"])
  func `a command that fetches has them all`(command: String) throws {
    let words = [
      command, "--proxy", "http://p.test:1", "--cacert", "authorities.pem", "--insecure", "--http1",
    ]
    guard case .run(let arguments) = try Invocation.parse(words + link(command), environment: [:]) else {
      Issue.record("\(command) does not run")
      return
    }
    #expect(arguments[LinkOption.proxy] == "http://p.test:1")
    #expect(arguments[LinkOption.cacert] == "authorities.pem")
    #expect(arguments[LinkOption.insecure])
    #expect(arguments[LinkOption.http1])
  }

  private func link(_ command: String) -> [String] { command == "aggregator" ? [] : ["http://a.test/"] }
}
