import Glibc
import Iconv
import Pages
import Sandbox
import Testing

/// Reading pages and documents takes no file and no socket.
@Suite(.timeLimit(.minutes(10)))
struct ConfinedDecodingTests {
  @Test(arguments: ["JSONQueryTests", "PagesTests"])
  func `all tests of decoding pass in a confined process`(suite: String) async throws {
    let ending = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [suite = suite as String] in
      Charset.loadTables()
      // Of a test.
      let converter = Iconv(from: "CP1252")
      _ = try Confinement.confineThreads()
      var arguments = __CommandLineArguments_v0()
      arguments.filter = ["^\(suite)\\."]
      let code: CInt = await __swiftPMEntryPoint(passing: arguments)
      withExtendedLifetime(converter) { print("tests end with \(code)") }
      exit(0)
    }
    let said = String(decoding: ending.standardOutputContent + ending.standardErrorContent, as: UTF8.self)
    let problems = said.split(separator: "\n").filter { $0.contains("recorded an issue") }
    #expect(said.contains("tests end with 0\n"), "\(problems.joined(separator: "\n"))")
  }
}
