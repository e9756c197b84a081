import Foundation
import JSONQuery
import PipelineTesting
import Posix
import Testing

/// A decoder that the kernel keeps from files and sockets.
@Suite(.timeLimit(.minutes(5)))
struct SandboxedDecoderTests {
  /// A path, how a page names its charset, its title in that charset, and its title.
  private static let titles: [(path: String, charset: String, bytes: [UInt8], title: String)] = [
    ("shift-jis", "Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
    ("euc-jp", "EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
    ("euc-kr", "EUC-KR", [0xC7, 0xD1, 0xB1, 0xB9], "한국"),
    ("gb18030", "GB18030", [0xD6, 0xD0, 0xB9, 0xFA], "中国"),
    ("big5", "Big5", [0xA5, 0x78, 0xC6, 0x57], "台灣"),
    ("windows-1252", "windows-1252", [0x45, 0x75, 0x72, 0x6F, 0x20, 0x80], "Euro €"),
    ("utf-8", "utf-8", Array("ü".utf8), "ü"),
  ]

  private final class Site: Sendable {
    let server = RawServer { peer in
      while let request = peer.readRequest() {
        let path = request.split(separator: " ").dropFirst().first.map { $0.dropFirst() } ?? ""
        let (type, body) = SandboxedDecoderTests.answer(to: String(path))
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
        peer.send(Array(head.utf8) + body)
      }
    }

    deinit { server.stop() }
  }

  private static func answer(to path: String) -> (type: String, body: [UInt8]) {
    guard let page = titles.first(where: { $0.path == path }) else {
      return ("application/json", Array(#"{"items":[1,2]}"#.utf8))
    }
    let start = "<meta name=description content=about><title>"
    // A long one is read on a thread of the pool.
    let rest = Array(repeating: UInt8(ascii: " "), count: path == "big5" ? 600 << 10 : 0)
    return (
      "text/html; charset=\(page.charset)", Array(start.utf8) + page.bytes + Array("</title>".utf8) + rest
    )
  }

  /// Name, filters and privileges of each thread of a process.
  private func threads(of process: Int32) throws -> [(name: String, mode: String, noNewPrivileges: String)] {
    let directory = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: directory).map { thread in
      let status = try String(contentsOfFile: "\(directory)/\(thread)/status", encoding: .utf8)
      func field(_ name: String) -> String {
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line.map { String($0.drop { $0 != "\t" }.dropFirst()) } ?? ""
      }
      return (field("Name"), field("Seccomp"), field("NoNewPrivs"))
    }
  }

  /// What `status` says of the decoder.
  private func decoder(of fleet: UpFleet) async throws -> Row {
    let workers = try #require(try await fleet.status().value["workers"])
    return Row(value: try #require(workers.elements.first { $0["role"]?.string == "decoder" }))
  }

  private func readAll(by fleet: UpFleet) async throws {
    let site = Site()
    let links = Self.titles.map { site.server.url + $0.path }
    let titles = try await Child(["title", "--ordered"] + links + fleet.words).ended()
    #expect(try titles.rows().map { $0["title"] } == Self.titles.map(\.title), "\(titles.messages)")
    #expect(try titles.rows().allSatisfy { $0["card.description"] == "about" })
    let data = try await Child(
      ["decode", "--select", "$.items[*]", site.server.url + "data"] + fleet.words
    ).ended()
    #expect(try data.rows().first?["value"] == "[1,2]", "\(data.messages)")
  }

  @Test func `a decoder is confined before it reads, and reads all the same`() async throws {
    let fleet = try await UpFleet()
    let process = try fleet.up.process(of: "decoder 1")
    for _ in 0..<2 {
      let threads = try threads(of: process)
      #expect(threads.count { $0.name.hasPrefix("ZMQbg") } == 2)
      for thread in threads {
        #expect(thread.mode == "2" && thread.noNewPrivileges == "1", "\(thread)")
      }
      try await readAll(by: fleet)
    }
    #expect(try await decoder(of: fleet)["sandbox"]?.hasPrefix("seccomp") == true)
    #expect(try await Child(["status"] + fleet.words).ended().output.contains("no sandbox") == false)
    try await fleet.stop()
  }

  @Test func `a decoder over TCP is confined too, and finds an aggregator that died again`() async throws {
    let address = "tcp://127.0.0.1:\(try Listener().port)"
    let fleet = try await UpFleet(
      ["--listen", address, "--insecure-transport"], reach: ["--insecure-transport"])
    try await readAll(by: fleet)
    let process = try fleet.up.process(of: "decoder 1")
    try fleet.kill("aggregator")
    #expect(await fleet.up.messages.holds("starts again", silenceAtMost: 60))
    try await readAll(by: fleet)
    #expect(try fleet.up.process(of: "decoder 1") == process)
    #expect(try threads(of: process).allSatisfy { $0.mode == "2" && $0.noNewPrivileges == "1" })
    try await fleet.stop()
  }

  @Test func `a decoder without its sandbox is told of`() async throws {
    let fleet = try await UpFleet(workers: ["--no-sandbox"])
    #expect(try threads(of: fleet.up.process(of: "decoder 1")).allSatisfy { $0.mode == "0" })
    try await readAll(by: fleet)
    #expect(try await decoder(of: fleet)["sandbox"] == "none")
    let status = try await Child(["status"] + fleet.words).ended()
    #expect(
      status.lines.contains { $0.contains("  decoder  ") && $0.hasSuffix("  no sandbox") }, "\(status.output)"
    )
    try await fleet.stop()
  }

  @Test func `after a SIGHUP another decoder takes a confined one's place`() async throws {
    let fleet = try await UpFleet()
    let first = try fleet.up.process(of: "decoder 1")
    fleet.up.hangUp()
    #expect(await fleet.up.messages.holds("decoder 1 ended to read its files", silenceAtMost: 60))
    #expect(await fleet.up.messages.holds("starts again", silenceAtMost: 60))
    try await readAll(by: fleet)
    #expect(try fleet.up.process(of: "decoder 1") != first)
    try await fleet.stop()
  }

  @Test func `a decoder that nothing starts again says that it has to be`() async throws {
    let directory = try TemporaryDirectory()
    let news = try DatagramSocket(receivingAt: directory.file("notify"))
    let decoder = try Child(
      ["decoder", "--run-dir", directory.file("run")],
      environment: ["NOTIFY_SOCKET": directory.file("notify"), "WATCHDOG_USEC": "500000"])
    for start in ["READY=1\n", "WATCHDOG=1"] {
      let said = String(decoding: try news.receive(milliseconds: 120_000), as: UTF8.self)
      #expect(said.hasPrefix(start))
    }
    decoder.hangUp()
    let words = "configuration not read again: a decoder in its sandbox opens no files; restart it"
    #expect(await decoder.messages.holds(words, silenceAtMost: 60))
    decoder.terminate()
    #expect(try await decoder.ended().status == 0)
  }
}
