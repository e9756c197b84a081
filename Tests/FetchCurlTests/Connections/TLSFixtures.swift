import Foundation
import PipelineTesting
import Posix

/// Certificates made once for all tests of a run, with the `openssl` command.
struct Certificates: Sendable {
  enum Kind: String, CaseIterable {
    case good, expired, wrongName, selfSigned
  }

  private let folder: TemporaryDirectory

  static let shared = Result { try Certificates() }

  private init() throws {
    folder = try TemporaryDirectory()
    // What is shared by all tests is given up by none of them.
    atexit { try? FileManager.default.removeItem(atPath: Certificates.shared.get().folder.path) }
    try Data("subjectAltName=DNS:localhost,IP:127.0.0.1\n".utf8).write(
      to: URL(fileURLWithPath: folder.file("right")))
    try Data("subjectAltName=DNS:elsewhere.test\n".utf8).write(to: URL(fileURLWithPath: folder.file("other")))
    try openssl("req -x509 \(Self.newKey) -keyout authority.key -out authority -subj /CN=authority -days 2")
    try openssl("req -x509 \(Self.newKey) -keyout selfSigned.key -out selfSigned -subj /CN=localhost -days 2")
    try sign(.good, names: "right", days: 2)
    try sign(.expired, names: "right", days: -1)
    try sign(.wrongName, names: "other", days: 2)
  }

  var authority: String { folder.file("authority") }

  func path(_ kind: Kind) -> String { folder.file(kind.rawValue) }

  private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

  private func sign(_ kind: Kind, names: String, days: Int) throws {
    let name = kind.rawValue
    try openssl("req \(Self.newKey) -keyout \(name).key -out \(name).request -subj /CN=\(name)")
    try openssl(
      "x509 -req -in \(name).request -CA authority -CAkey authority.key -CAcreateserial -days \(days)"
        + " -extfile \(names) -out \(name)")
  }

  /// By `system`, which lets no other child inherit what its end is known by.
  private func openssl(_ words: String) throws {
    let line = "cd '\(folder.path)' && openssl \(words) </dev/null >/dev/null 2>&1"
    guard unsafe system(line) == 0 else { throw Failed(words: words) }
  }

  struct Failed: Error {
    var words: String
  }
}

/// OpenSSL's own server, which answers every request with a page about the connection.
final class TLSServer: Sendable {
  let port: UInt16
  /// Its standard input.
  private let life: Descriptor

  /// Serves as long as somebody holds the other end of its input, so not longer than the tests live.
  private static let untilInputEnds = #"cd "$0" || exit; "$@" & trap 'kill -9 $!' EXIT; read -r _"#

  /// The same with a command of `s_server` as its input, again and again.
  private static let underCommands =
    #"cd "$0" || exit; c=$1; shift; yes "$c" | "$@" & trap 'kill -9 $!' EXIT; read -r _"#

  /// The same with two files as its input, the second one again and again.
  private static let underFiles =
    #"cd "$0" || exit; { cat start; while cat rest; do :; done; } | "$@" & trap 'kill -9 $!' EXIT; read -r _"#

  /// A server that sends one list of bytes, then another one for ever, whatever it is asked.
  ///
  /// - Parameter folder: Where they may be written.
  convenience init(sending start: [UInt8], then rest: [UInt8], options: [String], in folder: String) throws {
    try Data(start).write(to: URL(fileURLWithPath: "\(folder)/start"))
    try Data(rest).write(to: URL(fileURLWithPath: "\(folder)/rest"))
    try self.init(.good, options: options, folder: folder, script: Self.underFiles)
  }

  convenience init(
    _ kind: Certificates.Kind, options: [String] = [], folder: String = "/", commands: String? = nil
  ) throws {
    if let commands {
      try self.init(kind, options: options, folder: folder, script: Self.underCommands, words: [commands])
    } else {
      try self.init(kind, options: ["-www"] + options, folder: folder, script: Self.untilInputEnds)
    }
  }

  /// - Parameters:
  ///   - folder: Where files are that it serves with the option `-WWW`.
  ///   - script: What starts it and gives it an input; `words` are its own arguments.
  private init(
    _ kind: Certificates.Kind, options: [String], folder: String, script: String, words: [String] = []
  ) throws {
    let file = try Certificates.shared.get().path(kind)
    let (life, output) = (try Descriptor.pipe(), try Descriptor.pipe())
    _ = try ChildProcess.start(
      path: "/bin/sh",
      arguments: ["sh", "-c", script, folder] + words
        + ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", file, "-key", "\(file).key"]
        + options,
      environment: ["PATH=/usr/local/bin:/usr/bin:/bin"],
      streams: ChildProcess.Streams(
        input: life.reading, output: output.writing, messages: try .reading(path: "/dev/null")))
    self.life = life.writing
    // ACCEPT 127.0.0.1:PORT
    var said = ""
    while !said.hasSuffix("\n") || !said.contains("ACCEPT") {
      let more = try output.reading.readChunk()
      guard !more.isEmpty else { throw Certificates.Failed(words: "s_server said only: \(said)") }
      said += String(decoding: more, as: UTF8.self)
    }
    port = UInt16(said.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
  }

  func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/" }
}
