import BuildFacts
import CommonMark
import Compression
import Curl
import JSONQuery
import SQLite
import ZeroMQ

struct VersionReport: Sendable {
  var version = halyardVersion
  var commit: String
  var swift: String
  var libraries: [(name: String, version: String)]
  var features: [String]

  static var own: VersionReport {
    let curl = CurlLibrary()
    let features = [
      ("http2", curl.speaksHTTP2), ("tls", curl.tls != nil), ("brotli", true), ("zstd", true),
      ("curve", ZeroMQLibrary.hasCurve),
    ]
    return VersionReport(
      commit: sourceCommit, swift: swiftVersion,
      libraries: [
        ("libcurl", curl.version), ("tls", curl.tls ?? "none"), ("libzmq", ZeroMQLibrary.version),
        ("sqlite", SQLiteLibrary.version), ("isa-l", CompressionLibraries.isal),
        ("brotli", CompressionLibraries.brotli), ("zstd", CompressionLibraries.zstandard),
        ("cmark", MarkdownDocument.libraryVersion),
      ], features: features.filter(\.1).map(\.0))
  }

  var text: String {
    let rows =
      [["commit", commit], ["swift", swift]] + libraries.map { [$0.name, $0.version] }
      + [["features", features.joined(separator: " ")]]
    return (["halyard \(version)"] + TextColumns.lines(rows)).map { "\($0)\n" }.joined()
  }

  var json: [UInt8] {
    JSONWriter.line { line in
      line.member("schema", "halyard.version/1")
      line.member("version", version)
      line.member("commit", commit)
      line.member("swift", swift)
      line.beginObject("libraries")
      for library in libraries {
        line.member(library.name, library.version)
      }
      line.endObject()
      line.member("features", features)
    }
  }
}
