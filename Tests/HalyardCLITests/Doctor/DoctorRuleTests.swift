import LedgerSQLite
import Testing

@testable import HalyardCLI

@Suite struct DoctorRuleTests {
  @Test func `libcurl needs TLS, and should have HTTP 2`() {
    func state(_ curl: String) -> Finding.State {
      DoctorRules.libraries(curl: curl, others: ["SQLite/3"]).state
    }
    #expect(state("libcurl/7.88.1 OpenSSL/3.0.15 nghttp2/1.52.0") == .ok)
    #expect(state("libcurl/7.88.1 OpenSSL/3.0.15") == .warning)
    #expect(state("libcurl/7.88.1 zlib/1.2.13 nghttp2/1.52.0") == .trouble)
    #expect(
      DoctorRules.libraries(curl: "libcurl/8 GnuTLS/3 nghttp2/1", others: ["SQLite/3"]).message
        == "libcurl/8 GnuTLS/3 nghttp2/1 SQLite/3")
  }

  @Test func `certificates are there, can be read and can be loaded`() {
    func state(_ file: String?, _ isReadable: Bool, _ loads: Bool) -> Finding.State {
      DoctorRules.certificates(file: file, isReadable: isReadable, loads: loads).state
    }
    #expect(state("/a.pem", true, true) == .ok)
    #expect(state("/a.pem", true, false) == .trouble)
    #expect(state("/a.pem", false, false) == .trouble)
    #expect(state(nil, false, false) == .trouble)
  }

  @Test func `too few open files mean fewer transfers, and then trouble`() {
    func state(_ limit: Int?) -> Finding.State {
      DoctorRules.descriptors(limit: limit, wanted: 800, fewest: 64).state
    }
    #expect(state(800) == .ok)
    #expect(state(nil) == .ok)
    #expect(state(799) == .warning)
    #expect(state(64) == .warning)
    #expect(state(63) == .trouble)
  }

  private static func header(version: UInt8, application: [UInt8] = [0x48, 0x4C, 0x59, 0x4C]) -> [UInt8] {
    var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
    bytes[63] = version
    bytes.replaceSubrange(68..<72, with: application)
    return bytes
  }

  @Test func `a ledger is one of ours, of a version we know, with room to grow`() {
    func finding(_ header: [UInt8]?, _ free: Int64?) -> Finding {
      DoctorRules.ledger("/l.db", header: header, free: free)
    }
    let much: Int64 = 5 << 30
    #expect(finding(nil, much) == .ok("ledger", "/l.db is not there yet, 5120 MiB free"))
    #expect(finding(Self.header(version: 1), much).message == "/l.db: schema 1 of 1, 5120 MiB free")
    #expect(finding([], much).state == .ok)
    #expect(finding(Self.header(version: 0, application: [0, 0, 0, 0]), much).state == .ok)
    #expect(finding(Self.header(version: 200), much).state == .trouble)
    #expect(finding(Self.header(version: 1, application: [1, 2, 3, 4]), much).state == .trouble)
    #expect(finding(Array("hello".utf8), much).message == "/l.db: this is not a ledger")
    #expect(finding(nil, 900 << 20).state == .warning)
    #expect(finding(nil, 9 << 20).state == .trouble)
    #expect(finding(nil, nil).state == .ok)
  }

  @Test func `the ledger of a fleet that runs is not left for another one`() throws {
    let json = #"{"health":"degraded","workers":[],"ledger":{"missing":"ledger /l.db was removed: save it"}}"#
    let missing = try #require(StatusText(Array(json.utf8)).missingLedger)
    let gone = DoctorRules.ledger(missing: missing)
    #expect(gone.state == .trouble && gone.message == "ledger /l.db was removed: save it")
    #expect(gone.fix?.hasPrefix("halyard pause --all, then halyard ledger backup FILE") == true)
    let full = DoctorRules.ledger("/l.db", header: Self.header(version: 1), free: 1 << 20, isInUse: true)
    #expect(full.fix == "free space there, or delete batches with 'halyard ledger prune'")
    let ended = DoctorRules.ledger("/l.db", header: Self.header(version: 1), free: 1 << 20)
    #expect(ended.fix == "free space there")
    let fixed = DoctorRules.ledger("/l.db", header: Self.header(version: 1), free: nil, mayBeWritten: false)
    #expect(fixed.state == .trouble && fixed.message == "/l.db may not be written")
  }

  @Test func `the sandbox needs filters, and Landlock is told`() {
    let all = DoctorRules.sandbox(hasFilters: true, landlock: 4)
    #expect(all == .ok("sandbox", "seccomp filters, Landlock 4"))
    #expect(
      DoctorRules.sandbox(hasFilters: true, landlock: nil) == .ok("sandbox", "seccomp filters, no Landlock"))
    let none = DoctorRules.sandbox(hasFilters: false, landlock: 4)
    #expect(none.state == .trouble && none.message == "no seccomp filters: decoders do not start")
  }

  @Test func `a finding is told with its fix`() {
    let finding = Finding.warning("descriptors", "few", fix: "ulimit -n 9")
    #expect(finding.text == "warning  descriptors  few\n                      fix: ulimit -n 9\n")
    #expect(
      String(decoding: finding.json, as: UTF8.self)
        == #"{"check":"descriptors","state":"warning","message":"few","fix":"ulimit -n 9"}"# + "\n")
    #expect(Finding.ok("fleet", "well").text == "ok       fleet        well\n")
  }
}
