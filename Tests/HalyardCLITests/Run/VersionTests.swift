import JSONQuery
import Testing

@testable import HalyardCLI

@Suite struct VersionTests {
  private static let report = VersionReport(
    version: "1.2.3", commit: "abc123-changed", swift: "6.3",
    libraries: [("libcurl", "7.88.1"), ("isa-l", "2.30.0")],
    features: ["http2", "zstd"])

  @Test func `the text has a line for each fact`() {
    #expect(
      Self.report.text == """
        halyard 1.2.3
        commit    abc123-changed
        swift     6.3
        libcurl   7.88.1
        isa-l     2.30.0
        features  http2 zstd

        """)
  }

  @Test func `the JSON is one line`() {
    #expect(
      String(decoding: Self.report.json, as: UTF8.self)
        == #"{"schema":"halyard.version/1","version":"1.2.3","commit":"abc123-changed","swift":"6.3","#
        + #""libraries":{"libcurl":"7.88.1","isa-l":"2.30.0"},"features":["http2","zstd"]}"# + "\n")
  }

  @Test func `every library of this process tells its version`() {
    let own = VersionReport.own
    #expect(
      own.libraries.map(\.name) == ["libcurl", "tls", "libzmq", "sqlite", "isa-l", "brotli", "zstd", "cmark"])
    for library in own.libraries where library.name != "tls" {
      let numbers = library.version.split(separator: ".")
      #expect(numbers.count >= 2 && numbers.allSatisfy { $0.first?.isNumber == true }, "\(library)")
    }
    #expect(own.features == ["http2", "tls", "brotli", "zstd", "curve"])
  }

  @Test func `the commit is told, or that it is unknown`() {
    let commit = VersionReport.own.commit
    let digits = commit.hasSuffix("-changed") ? commit.dropLast("-changed".count) : commit[...]
    #expect(commit == "unknown" || digits.count == 40 && digits.allSatisfy(\.isHexDigit))
  }
}
