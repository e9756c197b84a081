import Pipeline
import Testing

@testable import Roles

/// When rows and acknowledgements are sent.
struct UnhurriedTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let worker = WorkerID(UUIDv7(high: 1, low: 1))
  private let token = LeaseToken(7)

  @Test func `what ends beside other work waits for company`() {
    var unhurried = Unhurried()
    unhurried.acknowledge(token, of: worker, at: start)
    #expect(unhurried.take(at: start.advanced(byMilliseconds: 4), isQuiet: false) == nil)
    #expect(unhurried.take(at: start.advanced(byMilliseconds: 5), isQuiet: false) == [worker: [token]])
    #expect(unhurried.due == nil)
  }

  @Test func `enough company goes at once`() {
    var unhurried = Unhurried()
    for _ in 1..<Unhurried.enough { unhurried.noteRow(at: start) }
    #expect(unhurried.take(at: start, isQuiet: false) == nil)
    unhurried.noteRow(at: start)
    #expect(unhurried.take(at: start, isQuiet: false) == [:])
  }

  @Test func `the last row under way waits for nobody`() {
    var unhurried = Unhurried()
    #expect(unhurried.take(at: start, isQuiet: true) == nil)
    unhurried.noteRow(at: start)
    #expect(unhurried.take(at: start, isQuiet: true) == [:])
  }
}
