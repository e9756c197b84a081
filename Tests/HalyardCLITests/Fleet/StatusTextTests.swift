import Testing

@testable import HalyardCLI

@Suite struct StatusTextTests {
  @Test func `a report is shown in columns`() throws {
    let json = #"""
      {"schema":"halyard.status/1","version":"0.1.0","pid":17,"uptime_ms":62000,"health":"degraded",\#
      "reason":"disk full","jobs":{"waiting":0,"ready":7,"leased":1,"scheduled":2,"failed":3},"workers":[\#
      {"id":"w1","role":"fetcher","locality":"rack-7","held":1,"free":255,"heard_ms_ago":12},\#
      {"id":"w2","role":"decoder","locality":"rack-7","held":0,"heard_ms_ago":1200,"sandbox":"none"},\#
      {"id":"w3","role":"decoder","locality":"rack-7","held":0,"heard_ms_ago":9,"sandbox":"seccomp"}],\#
      "batches":[{"id":"b1","name":"monday","age_ms":61000,"total":null,"settled":8,"done":5,"failed":1,"cancelled":2,"open":null},\#
      {"id":"b2","total":3,"settled":3,"done":3,"failed":0,"cancelled":0,"open":0,"abandoned":true}]}
      """#
    let text = try StatusText(Array(json.utf8))
    #expect(!text.isWell)
    #expect(
      text.lines == [
        "fleet degraded: disk full  halyard 0.1.0, process 17, up 62s",
        "jobs  7 ready, 1 leased, 2 scheduled, 3 failed", "",
        "WORKER  ROLE     LOCALITY  HELD  FREE  HEARD", "w1      fetcher  rack-7    1     255   12 ms ago",
        "w2      decoder  rack-7    0     -     1200 ms ago  no sandbox",
        "w3      decoder  rack-7    0     -     9 ms ago", "",
        "BATCH   AGE    JOBS  DONE  FAILED  CANCELLED  OPEN",
        "monday  1m 1s  -     5     1       2          -",
        "b2      -      3     3     0       0          0     abandoned",
      ])
  }

  @Test func `a worker that fell silent is named with its process`() throws {
    let json =
      #"{"health":"ok","workers":[],"silent_workers":[{"id":"w1","role":"fetcher","address":"tcp://10.0.0.7:4000","#
      + #""pid":17,"heard_ms_ago":180000},{"id":"w2","role":"decoder","address":"ipc:///d","heard_ms_ago":9000}]}"#
    let lines = try StatusText(Array(json.utf8)).lines
    #expect(
      lines.contains(
        "silent  fetcher w1, process 17 at tcp://10.0.0.7:4000, heard 3m ago; its jobs went to others"))
    #expect(lines.contains("silent  decoder w2 at ipc:///d, heard 9s ago; its jobs went to others"))
  }

  @Test func `a pause of everything is told where an echo waits for its end`() throws {
    let json =
      #"{"health":"ok","workers":[],"paused":[{"host":"a.test"},{"all":true,"since":"2026-11-26T10:00:00.000Z","by":"ann@box"}]}"#
    #expect(
      try StatusText(Array(json.utf8)).pauseOfAll
        == ": everything is paused since 2026-11-26T10:00:00Z by ann@box; 'halyard resume --all' ends that")
    #expect(try StatusText(Array(#"{"health":"ok","paused":[{"host":"a.test"}]}"#.utf8)).pauseOfAll == "")
  }

  @Test func `hosts that only fail and retries that were refused are told of`() throws {
    let json =
      #"{"health":"ok","workers":[],"retries":{"left":0,"refused":7},"hosts":{"slow":2,"given_up":1,"jobs_lost":1234,"#
      + #""worst":[{"host":"a.test","jobs":1200},{"host":"b\u001b.test","jobs":20}],"others":3}}"#
    let lines = try StatusText(Array(json.utf8)).lines
    #expect(lines.contains("hosts  that only fail: 2 slow, 1 given up for now"))
    let cost =
      "hosts  that were given up cost 1,234 jobs (a.test 1,200, b�.test 20, 3 others 14); see --give-up"
    #expect(lines.contains(cost))
    #expect(lines.contains("retries  0 left, 7 refused: see --retry-budget"))
  }

  @Test func `what the ledger takes, keeps and has done to it is told`() throws {
    let json =
      #"{"health":"ok","workers":[],"ledger":{"keeps_ms":604800000,"bytes":343100000,"parts":{"free":1500000},"#
      + #""oldest":1700000000000,"work":{"verb":"backup"}}}"#
    let lines = try StatusText(Array(json.utf8)).lines
    #expect(
      lines.contains(
        "ledger  343.1 MB, 1.5 MB free; batches are kept for 168h, the oldest is of 2023-11-14"))
    #expect(lines.contains("ledger  backup is under way"))
  }

  @Test func `how fast it goes is told, and what waits for what`() throws {
    let json = #"""
      {"health":"ok","workers":[],"oldest_ms":{"waiting":null,"ready":182000,"leased":2000,"scheduled":null},\#
      "runnable":3,"free_credit":252,"suspects":3,"recent":{"1m":{"ms":60000,"submitted":600,"done":700,"failed":20,\#
      "cancelled":0,"failures":{"dns":20}},"15m":{"ms":900000,"submitted":90000,"done":450,"failed":0,"cancelled":0,\#
      "failures":{"timeout":9,"dns":5,"tls":4,"blocked":3,"robots":2,"http_status":1}}},\#
      "failures":{"timeout":10,"dns":5},"hosts":{"in_trouble":[\#
      {"host":"a.test","state":"given_up","failures":15,"kind":"connect","in_ms":540000},\#
      {"host":"b.test","state":"slow","failures":11,"kind":"dns","in_ms":900},\#
      {"host":"c.test","state":"slow","failures":64,"kind":"timeout","in_ms":0}]}}
      """#
    let lines = try StatusText(Array(json.utf8)).lines
    let expected = [
      "oldest  ready 3m 2s, leased 2.0 s", "now  3 could start, fetchers take 252 more",
      "suspects  a worker may have died of 3 jobs, tried in groups beside the others",
      "rate  1m: 12/s ended, 10/s submitted; 15m: 0.5/s ended, 100/s submitted",
      "failures in 15m  timeout 9, dns 5, tls 4, blocked 3, others 3",
      "failures since the start  timeout 10, dns 5",
      "host  a.test given up: connect 15 times in a row, asked again in 9m",
      "host  b.test slow: dns 11 times in a row, asked again in 900 ms",
      "host  c.test slow: timeout 64 times in a row",
    ]
    #expect(lines.filter { expected.contains($0) } == expected)
  }

  @Test func `a rate says what time it is of`() throws {
    let json =
      #"{"health":"ok","workers":[],"recent":{"1m":{"ms":57000,"done":57},"15m":{"ms":72000,"done":36}}}"#
    let lines = try StatusText(Array(json.utf8)).lines
    #expect(lines.contains("rate  1m: 1/s ended, 0/s submitted; 1m 12s: 0.5/s ended, 0/s submitted"))
  }

  @Test func `members that are out of the ordinary are marked, and those that were not let in are told of`()
    throws
  {
    let json = #"""
      {"version":"0.2.0","health":"ok","wanted":{"fetchers":2,"decoders":1},"refused_peers":{"total":12,"latest":[\#
      {"key":"k6f0C>lq","address":"10.0.0.9","times":11,"ms_ago":5},{"address":"10.0.0.8","times":1,"ms_ago":9}]},\#
      "workers":[\#
      {"id":"w1","role":"fetcher","locality":"a","held":1,"heard_ms_ago":4000,"version":"0.1.0","verdict":"draining"},\#
      {"id":"w2","role":"fetcher","locality":"a","held":0,"heard_ms_ago":1,"version":"0.2.0","verdict":"compatible"},\#
      {"id":"w3","role":"decoder","locality":"a","held":0,"heard_ms_ago":1,"version":"0.2.0","verdict":"refused"}]}
      """#
    let lines = try StatusText(Array(json.utf8)).lines
    #expect(lines.contains("workers  1 of 2 fetchers, 0 of 1 decoders"))
    #expect(lines.contains("refused  12 connections, the last one from 10.0.0.9 with key k6f0C>lq"))
    #expect(
      lines.filter { $0.hasPrefix("w") && !$0.hasPrefix("workers") } == [
        "w1      fetcher  a         1     -     4000 ms ago  version 0.1.0 draining quiet; its jobs go to others when it"
          + " is silent for 10s",
        "w2      fetcher  a         0     -     1 ms ago",
        "w3      decoder  a         0     -     1 ms ago     refused",
      ])
  }

  @Test(arguments: [
    ("", "start some with halyard up, or halyard fetcher and halyard decoder"),
    (
      #","wanted":{"fetchers":0,"decoders":0}"#,
      "start some with halyard scale fetchers N, and halyard scale decoders N"
    ),
    (#","wanted":{"fetchers":1,"decoders":0}"#, "halyard up starts those that end, and its log says why"),
  ])
  func `a fleet without workers says what to do`(wanted: String, remedy: String) throws {
    let text = try StatusText(Array(#"{"health":"ok","workers":[]\#(wanted)}"#.utf8))
    #expect(text.isWell)
    #expect(text.lines.contains("no workers: \(remedy)"))
  }
}
