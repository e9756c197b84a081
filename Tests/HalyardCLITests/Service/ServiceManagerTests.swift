import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import HalyardCLI

/// What a process tells systemd, over a real socket.
@Suite(.timeLimit(.minutes(2)))
struct ServiceManagerTests {
  private let directory: TemporaryDirectory
  private let socket: DatagramSocket

  init() throws {
    directory = try TemporaryDirectory()
    socket = try DatagramSocket(receivingAt: directory.file("notify"))
  }

  private func next() throws -> String {
    String(decoding: try socket.receive(milliseconds: 60_000), as: UTF8.self)
  }

  private func systemd(_ more: [String: String] = [:], process: Int32 = 7) throws -> Systemd {
    let environment = ["NOTIFY_SOCKET": directory.file("notify")].merging(more) { $1 }
    return try #require(Systemd(environment, process: process, log: NoLog()))
  }

  @Test func `news travel together as lines of one datagram`() throws {
    let systemd = try systemd()
    systemd.tell([.ready, .status("works for\nothers")])
    systemd.tell([.reloading(monotonicMicroseconds: 17)])
    systemd.tell([.stopping])
    systemd.tell([.alive])
    #expect(try next() == "READY=1\nSTATUS=works for\u{FFFD}others")
    #expect(try next() == "RELOADING=1\nMONOTONIC_USEC=17")
    #expect(try next() == "STOPPING=1")
    #expect(try next() == "WATCHDOG=1")
  }

  @Test func `without a socket in the environment there is no service manager`() {
    #expect(Systemd([:], log: NoLog()) == nil)
    #expect(Systemd(["NOTIFY_SOCKET": ""], log: NoLog()) == nil)
  }

  @Test(
    arguments: [
      ([:], nil), (["WATCHDOG_USEC": "30000000"], 30_000),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], 30_000),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
      (["WATCHDOG_USEC": "soon"], nil),
    ] as [([String: String], Int64?)])
  func `the watchdog is that of this process`(environment: [String: String], milliseconds: Int64?) throws {
    #expect(try systemd(environment).watchdogMilliseconds == milliseconds)
  }

  @Test func `a loop that turns is alive, one that stands still is not, and one that turns again is`() throws
  {
    let service = try systemd(["WATCHDOG_USEC": "200000"])
    let watch = try LoopWatchdog(NoLog(), service, status: "works", endsProcess: false)
    #expect(throws: PosixError.self) { try socket.receive(milliseconds: 0) }
    watch.turned()
    #expect(try next() == "READY=1\nSTATUS=works")
    watch.turned()
    #expect(try next() == "WATCHDOG=1")
    var said = try next()
    while said == "WATCHDOG=1" { said = try next() }
    #expect(said == "STATUS=the loop stands still")
    #expect(throws: PosixError.self) { try socket.receive(milliseconds: 0) }
    watch.turned()
    #expect(try next() == "WATCHDOG=1")
    watch.end()
  }
}

@Suite struct TurnRuleTests {
  @Test func `a loop is said to be alive twice in the time of its watchdog`() {
    var rule = TurnRule(watchdogMilliseconds: 4_000, endsProcess: false)
    let isFirst = rule.turned()
    #expect(isFirst)
    var said = 0
    for _ in 0..<8 {
      let isFirst = rule.turned()
      #expect(!isFirst)
      said += rule.passed(milliseconds: 1_000).count
    }
    #expect(said == 4)
  }

  @Test func `a loop that has not begun is not alive, and no standstill either`() {
    var rule = TurnRule(watchdogMilliseconds: 2_000, endsProcess: false)
    for _ in 0..<60 { #expect(rule.passed(milliseconds: 1_000).isEmpty) }
  }

  @Test func `a loop that stands still is told of once, and says at once that it turns again`() {
    var rule = TurnRule(watchdogMilliseconds: 60_000, endsProcess: false)
    _ = rule.turned()
    for _ in 0..<9 { #expect(rule.passed(milliseconds: 1_000).isEmpty) }
    #expect(rule.passed(milliseconds: 1_000) == [.tellStandstill(seconds: 10)])
    for _ in 0..<60 { #expect(rule.passed(milliseconds: 1_000).isEmpty) }
    _ = rule.turned()
    #expect(rule.passed(milliseconds: 1_000) == [.sayAlive])
  }

  @Test func `a worker that stands still is ended, also without a watchdog`() {
    var rule = TurnRule(watchdogMilliseconds: nil, endsProcess: true)
    for _ in 0..<9 { #expect(rule.passed(milliseconds: 1_000).isEmpty) }
    #expect(rule.passed(milliseconds: 1_000) == [.tellStandstill(seconds: 10)])
    #expect(rule.passed(milliseconds: 1_000) == [.endProcess])
  }
}
