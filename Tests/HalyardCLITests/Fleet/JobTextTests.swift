import JSONQuery
import Testing

@testable import HalyardCLI

struct JobTextTests {
  private func lines(_ json: String) throws -> [String] {
    try JobText(job: JSONDocument(parsing: Array(json.utf8)).root).lines
  }

  @Test func `a job that waits for its retry shows its attempts and what is next`() throws {
    let text = try lines(
      #"""
      {"schema":"halyard.job/1","id":"j1","batch":"b1","ordinal":12,"kind":"title","input":"http://sho.rt/x",\#
      "host":"sho.rt","state":"scheduled","attempts":2,"submitted":"2026-11-22T08:49:37.120Z","age_ms":192000,\#
      "crashes":1,"history":[{"attempt":1,"waited_ms":884,"began":"2026-11-22T08:49:38.004Z","worker":"w1",\#
      "ended":"2026-11-22T08:49:48.004Z","took_ms":10000,"end":"failed","error":{"kind":"timeout",\#
      "stage":"first_byte","message":"fetch http://sho.rt/x: slow"},"next":"2026-11-22T08:49:50.000Z"},\#
      {"attempt":2,"waited_ms":4,"began":"2026-11-22T08:49:50.004Z","worker":"w2",\#
      "ended":"2026-11-22T08:49:51.004Z","took_ms":1000,"end":"crashed"}],\#
      "next":{"waits_for":"retry","until":"2026-11-22T08:52:50.000Z","in_ms":1500}}
      """#)
    #expect(
      text == [
        "title  http://sho.rt/x", "job    j1", "batch  b1, ordinal 12",
        "since  2026-11-22T08:49:37.120Z, 3m 12s ago", "state  scheduled, 2 attempts, 1 worker died on it",
        "try 1  waited 884 ms, began 2026-11-22T08:49:38.004Z, 10 s at w1: timeout (first_byte): fetch http://sho.rt/x: slow",
        "try 2  waited 4 ms, began 2026-11-22T08:49:50.004Z, 1.0 s at w2: its worker died",
        "next   it is tried again in 1.5 s, at 2026-11-22T08:52:50.000Z",
      ])
  }

  @Test func `a job that is over shows its hops and where they end`() throws {
    let text = try lines(
      #"""
      {"id":"j1","batch":"b1","ordinal":0,"kind":"title","input":"http://sho.rt/x","state":"done","attempts":1,\#
      "crashes":0,"ended":"2026-11-22T08:49:38.200Z","history":[{"attempt":1,"began":"2026-11-22T08:49:38.004Z",\#
      "worker":"w1","took_ms":196,"end":"done"}],"row":{"status":"ok","url":"https://example.org/post",\#
      "http_status":200,"hops":[{"url":"http://sho.rt/x","status":301,"via":"location","ms":12}],"title":"A title"}}
      """#)
    #expect(
      text.suffix(5) == [
        "state  done, 1 attempt, ended 2026-11-22T08:49:38.200Z",
        "try 1  began 2026-11-22T08:49:38.004Z, 196 ms at w1: done",
        "hop    301 http://sho.rt/x, 12 ms, then location", "end    200 https://example.org/post",
        "title  A title",
      ])
  }

  @Test(
    arguments: [
      (#"{"waits_for":"worker","worker":"w1"}"#, "the worker w1 ends it"),
      (#"{"waits_for":"row","job":"j2"}"#, "it gets a copy of the row of j2, which asks for the same"),
      (#"{"waits_for":"calls"}"#, "it ends with its calls"),
      (#"{"waits_for":"cancellation","cause":"enough"}"#, "it ends, because its batch is cancelled: enough"),
      (#"{"waits_for":"restart"}"#, "nothing more is given out until the aggregator starts again"),
      (
        #"{"waits_for":"other_suspects","suspects":5}"#,
        "a worker may have died of it: it waits for its turn among 5 such jobs, which run in groups"
      ),
      (
        #"{"waits_for":"given_up_host","host":"a.test","in_ms":60000}"#,
        "a.test is given up for another 1m: the job fails"
      ),
      (
        #"{"waits_for":"host_pause","host":"a.test","in_ms":500,"waiting_for_host":1}"#,
        "a.test is asked again in 500 ms"
      ),
      (
        #"{"waits_for":"host","host":"a.test","under_way":8,"waiting_for_host":12}"#,
        "8 jobs are under way at a.test, and no more may be; 12 jobs wait for a.test in memory"
      ),
      (#"{"waits_for":"fetcher","waiting_for_host":1}"#, "it waits for a fetcher with free credit"),
      (#"{"waits_for":"turn"}"#, "it waits for its turn"),
    ])
  func `what is next is said in words`(next: String, words: String) throws {
    #expect(try lines(#"{"kind":"title","next":\#(next)}"#).last == "next   \(words)")
  }

  @Test(
    arguments: [
      (0, "0 ms"), (999, "999 ms"), (3_456, "3.4 s"), (42_000, "42 s"), (303_000, "5m 3s"), (300_000, "5m"),
      (7_440_000, "2h 4m"), (273_600_000, "3d 4h"),
    ] as [(Int64, String)])
  func `a time is said in its two largest units`(milliseconds: Int64, text: String) {
    #expect(Elapsed.text(milliseconds) == text)
  }

  @Test func `jobs stand in columns`() throws {
    let jobs = try [
      #"{"id":"j1","state":"failed","error":"dns","attempts":3,"age_ms":61000,"input":"http://a.test/"}"#,
      #"{"id":"j2","state":"ready","attempts":0,"input":"http://b\u001b.test/"}"#,
    ].map { try JSONDocument(parsing: Array($0.utf8)).root }
    #expect(
      JobTable.lines(jobs).joined(separator: "\n") == """
        JOB  STATE        TRIES  AGE    INPUT
        j1   failed: dns  3      1m 1s  http://a.test/
        j2   ready        0      -      http://b\u{FFFD}.test/
        """)
  }
}
