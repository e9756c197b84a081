import FoundationEssentials
import PipelineTesting
import Posix
import Testing

/// What each process of a fleet serves for Prometheus and for probes.
@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private struct Served {
    let worker: Child
    let port: UInt16

    /// The status line and the body of a page.
    func page(_ path: String) throws -> (status: String, body: String) {
      let socket = try StreamSocket.connect(port: port)
      try socket.write(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
      var answer: [UInt8] = []
      while true {
        let part = try socket.read(milliseconds: 60_000)
        guard !part.isEmpty else { break }
        answer += part
      }
      let parts = String(decoding: answer, as: UTF8.self).components(separatedBy: "\r\n\r\n")
      return (parts[0].components(separatedBy: "\r\n")[0], parts.dropFirst().joined())
    }

    /// The metrics once they say something; a role shows what is new within some seconds.
    func metrics(with line: String) async throws -> String {
      var text = ""
      for _ in 0..<1_000 {
        text = try page("/metrics").body
        if text.contains(line) { return text }
        try await Task.sleep(for: .milliseconds(50))
      }
      Issue.record("'\(line)' is not among\n\(text)\(worker.messages.text)")
      return text
    }
  }

  private func start(_ role: String) async throws -> Served {
    let worker = try Child([
      role, "--run-dir", directory.file("run"), "--metrics", "0", "--log-level", "info",
    ])
    let words = "serves metrics at=127.0.0.1:"
    #expect(await worker.messages.holds(words, silenceAtMost: 60), "\(worker.messages.text)")
    let port = worker.messages.text.components(separatedBy: words).last?.prefix(while: \.isNumber)
    return Served(worker: worker, port: try #require(UInt16(port ?? "")))
  }

  @Test func `each role tells what it does, and the aggregator whether jobs can be done`() async throws {
    let aggregator = try await start("aggregator")
    _ = try await aggregator.metrics(with: #"halyard_jobs{state="ready"} 0"#)
    #expect(try aggregator.page("/healthz").status == "HTTP/1.1 200 OK")
    let waiting = try aggregator.page("/readyz")
    #expect(waiting.status == "HTTP/1.1 503 Service Unavailable")
    #expect(waiting.body.hasPrefix("no workers: "))

    let fetcher = try await start("fetcher")
    let decoder = try await start("decoder")
    let ping = try await Child(["ping", "--fleet", directory.file("run"), "--wait", "60s"]).ended()
    #expect(ping.status == 0, "\(ping.messages)")

    let text = try await aggregator.metrics(
      with: #"halyard_jobs_ended_total{kind="echo",status="ok",error=""} 1"#)
    for line in [
      #"halyard_build_info{role="aggregator",version="0.1.0"} 1"#, #"halyard_jobs{state="ready"} 0"#,
      #"halyard_workers{role="decoder",version="0.1.0"} 1"#, #"halyard_job_wait_seconds_count 1"#,
      "halyard_retries_total 0", "halyard_ready 1",
    ] {
      #expect(text.contains(line), "\(line) is not among\n\(text)")
    }
    #expect(try aggregator.page("/readyz").body == "ok\n")
    _ = try await fetcher.metrics(with: #"halyard_build_info{role="fetcher",version="0.1.0"} 1"#)
    // In its sandbox, in which no socket can be opened.
    _ = try await decoder.metrics(with: #"halyard_stage_seconds_count{stage="decode"} 1"#)
    #expect(try decoder.page("/readyz").body == "ok\n")
    for served in [fetcher, decoder, aggregator] {
      served.worker.terminate()
      #expect(try await served.worker.ended().status == 0)
    }
  }

  @Test func `a worker without its fleet says so, and is not ready`() async throws {
    let decoder = try await start("decoder")
    let said = decoder.worker.messages
    let address = "address=ipc://\(directory.file("run"))/aggregator"
    #expect(said.text.contains(" info decoder ") && said.text.contains(" starts worker="))
    #expect(await said.holds("the fleet is out of reach \(address)", silenceAtMost: 60), "\(said.text)")
    #expect(said.text.contains(#"cause="nothing answers there""#))
    _ = try await decoder.metrics(with: "halyard_ready 0")
    #expect(try decoder.page("/readyz").body.hasPrefix("it does not reach the fleet at ipc://"))

    let aggregator = try await start("aggregator")
    #expect(await said.holds("the fleet is reached \(address)", silenceAtMost: 60), "\(said.text)")
    _ = try await decoder.metrics(with: "halyard_ready 1")
    aggregator.worker.kill()
    #expect(await said.holds("the lane to the fleet is down", silenceAtMost: 60), "\(said.text)")
    _ = try await decoder.metrics(with: "halyard_ready 0")

    decoder.worker.terminate()
    #expect(try await decoder.worker.ended().status == 0)
    #expect(said.text.contains("finishes what it has, and ends jobs=0"), "\(said.text)")
    #expect(said.text.contains("has finished what it had"), "\(said.text)")
  }

  @Test func `a worker with the key of another fleet says that it is the key`() async throws {
    let keys = ["own", "other"].map { directory.file("\($0).key") }
    for file in keys { #expect(try await Child(["keys", "-o", file]).ended().status == 0) }
    let aggregator = try Child([
      "aggregator", "--run-dir", directory.file("run"), "--listen", "tcp://127.0.0.1:0", "--key", keys[0],
    ])
    #expect(
      await aggregator.messages.holds(" ledger=", silenceAtMost: 60), "\(aggregator.messages.text)")
    let port = aggregator.messages.text.components(separatedBy: "tcp://127.0.0.1:").last?.prefix {
      $0.isNumber
    }
    let fleet = "tcp://127.0.0.1:\(port ?? "")"
    for role in ["fetcher", "decoder"] {
      let worker = try Child([
        role, "--run-dir", directory.file(role), "--fleet", fleet, "--bind", "tcp://127.0.0.1:0", "--key",
        keys[1],
      ])
      #expect(await worker.messages.holds("the fleet is out of reach address=\(fleet)", silenceAtMost: 60))
      #expect(worker.messages.text.contains("it has another key than expected"), "\(worker.messages.text)")
    }
  }

  @Test func `a port that is taken ends the worker with a message`() async throws {
    let taken = try Listener()
    let end = try await Child([
      "aggregator", "--run-dir", directory.file("run"), "--metrics", "\(taken.port)",
    ]).ended()
    #expect(end.status == 69)
    // As a line of a log, with time and level.
    #expect(end.messages.contains(" error aggregator "), "\(end.messages)")
    #expect(end.messages.contains("cannot serve metrics at 127.0.0.1:\(taken.port): "))
  }
}
