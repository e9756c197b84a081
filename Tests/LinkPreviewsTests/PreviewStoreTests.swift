import Pipeline
import Testing

@testable import LinkPreviews

struct PreviewStoreTests {
  private static let row = Array(
    #"{"input":"https://a.test/","url":"https://a.test/","card":{"title":"A"}}"#.utf8)
  private let key = PreviewKey(kind: .title, link: "https://a.test/", language: nil)

  private static func failure(_ kind: FailureKind, retryable: Bool) -> [UInt8] {
    Array(
      #"{"input":"https://a.test/","error":{"kind":"\#(kind.rawValue)","message":"m","retryable":\#(retryable)}}"#
        .utf8)
  }

  private func at(_ milliseconds: Int64) -> Moment { Moment(unixMilliseconds: 1_000 + milliseconds) }

  @Test func `an answer is fresh, then stale, then forgotten`() {
    let times = PreviewTimes()
    var store = PreviewStore(times: times)
    _ = store.keep(Self.row, for: key, at: at(0))
    func finding(_ milliseconds: Int64) -> String {
      guard let found = store.find(key, at: at(milliseconds)) else { return "nothing" }
      return found.origin == .fresh ? "fresh" : found.mayRenew ? "stale" : "stale, just tried"
    }
    #expect(finding(times.answersMilliseconds - 1) == "fresh")
    #expect(finding(times.answersMilliseconds) == "stale")
    let end = times.answersMilliseconds + times.staleMilliseconds
    #expect(finding(end) == "nothing")
    // Then a fault takes its place, or the link would be asked for with every request.
    var late = store
    _ = late.keep(Self.failure(.timeout, retryable: true), for: key, at: at(end))
    let fault = late.find(key, at: at(end + times.passingFailuresMilliseconds - 1))
    #expect(fault?.preview.problem?.name == "timeout")
    // A fault that may pass leaves what there is, and is not asked for again at once.
    _ = store.keep(Self.failure(.timeout, retryable: true), for: key, at: at(times.answersMilliseconds))
    #expect(finding(times.answersMilliseconds + 1) == "stale, just tried")
    #expect(finding(times.answersMilliseconds + times.passingFailuresMilliseconds) == "stale")
    _ = store.keep(Self.failure(.notHTML, retryable: false), for: key, at: at(times.answersMilliseconds))
    #expect(finding(times.answersMilliseconds + times.failuresMilliseconds - 1) == "fresh")
    #expect(finding(times.answersMilliseconds + times.failuresMilliseconds) == "nothing")
  }

  @Test func `an answer that was kept elsewhere is as old as it was there`() {
    let times = PreviewTimes()
    var store = PreviewStore(times: times)
    func row(_ age: Int64) -> [UInt8] {
      Array(#"{"input":"https://a.test/","url":"https://a.test/","cached":true,"age":\#(age)}"#.utf8)
    }
    let kept = store.keep(row(3_600), for: key, at: at(0))
    #expect(kept.storedAt == at(-3_600_000))
    #expect(kept.freshUntil == at(times.answersMilliseconds - 3_600_000))
    // Too old already, but not asked for again at once.
    let old = store.keep(row(90_000), for: key, at: at(0))
    #expect(old.freshUntil == at(times.passingFailuresMilliseconds))
  }

  @Test func `a failure that may pass is kept for a minute`() {
    var store = PreviewStore()
    _ = store.keep(Self.failure(.connect, retryable: true), for: key, at: at(0))
    let found = store.find(key, at: at(59_999))
    #expect(found?.origin == .fresh && found?.preview.problem?.name == "connect")
    let late = store.find(key, at: at(60_000))
    #expect(late == nil)
  }

  @Test func `what was used stays when room is made, and the room is bounded`() {
    var store = PreviewStore(mostBytes: 8_000)
    func key(_ number: Int) -> PreviewKey {
      PreviewKey(kind: .title, link: "https://a.test/\(number)", language: nil)
    }
    for number in 0..<100 {
      _ = store.keep(Self.row, for: key(number), at: at(0))
      _ = store.find(key(0), at: at(0))
    }
    #expect(store.bytes <= 8_000)
    #expect(store.count > 5)
    let (used, unused) = (store.find(key(0), at: at(1)), store.find(key(1), at: at(1)))
    #expect(used?.origin == .fresh && unused == nil)
  }

  @Test func `a rendering has a tag of its content`() {
    var store = PreviewStore()
    let kept = store.keep(Self.row, for: key, at: at(0))
    let (one, other) = (kept.rendering(as: .row), kept.rendering(as: .oembed))
    #expect(one.tag == kept.rendering(as: .row).tag)
    #expect(one.tag != other.tag)
  }

  /// When, how fast and from which of its addresses it came, differs with every fetch.
  @Test func `a page that says the same again has the same tag, and others have not`() {
    func rendering(_ hop: String, _ rest: String) -> KeptPreview.Rendering {
      var store = PreviewStore()
      let row = #"{"input":"https://a.test/","url":"https://a.test/b","hops":[{\#(hop)}],\#(rest)}"#
      return store.keep(Array(row.utf8), for: key, at: at(0)).rendering(as: .row)
    }
    let hop = #""url":"https://a.test/","status":301,"via":"location""#
    let first = rendering(
      #"\#(hop),"ms":4,"address":"192.0.2.1""#, #""fetched_at":"2026-11-27T00:00:00.000Z","title":"A","ms":9"#
    )
    let again = rendering(
      #"\#(hop),"ms":5,"address":"192.0.2.2""#, #""fetched_at":"2026-11-28T00:00:00.000Z","title":"A","ms":7"#
    )
    #expect(first.tag == again.tag && first.body != again.body)
    #expect(first.tag != rendering(hop, #""title":"B""#).tag)
    #expect(first.tag != rendering(hop.replacing("301", with: "302"), #""title":"A""#).tag)
  }
}
