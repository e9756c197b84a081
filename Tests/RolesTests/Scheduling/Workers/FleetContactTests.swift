import Pipeline
import Testing

@testable import Roles

@Suite struct FleetContactTests {
  private let start = Moment(unixMilliseconds: 1_000_000)

  private func after(_ milliseconds: Int64) -> Moment { start.advanced(byMilliseconds: milliseconds) }

  @Test func `a fleet that is not there is told after two seconds, and then rarely`() {
    var contact = FleetContact(at: start)
    let told = stride(from: 0, through: 900_000, by: 2_000).compactMap { contact.passed(at: after($0)) }
    #expect(told == [2_000, 302_000, 602_000].map { .unreached(milliseconds: $0) })
    #expect(contact.lane(isUp: true, at: after(901_000)) == .reached(afterMilliseconds: 901_000))
    #expect(contact.passed(at: after(9_000_000)) == nil)
  }

  @Test func `a fleet that is reached at once is nothing to tell`() {
    var contact = FleetContact(at: start)
    #expect(contact.lane(isUp: true, at: after(100)) == nil)
    #expect(contact.lane(isUp: true, at: after(200)) == nil)
    #expect(contact.passed(at: after(5_000)) == nil)
  }

  @Test func `a loss is told at once, and so is its end`() {
    var contact = FleetContact(at: start)
    _ = contact.lane(isUp: true, at: after(100))
    #expect(contact.lane(isUp: false, at: after(7_000)) == .lost)
    #expect(contact.lane(isUp: false, at: after(7_001)) == nil)
    #expect(contact.passed(at: after(9_000)) == nil)
    #expect(contact.passed(at: after(17_000)) == .unreached(milliseconds: 10_000), "with its cause")
    #expect(contact.passed(at: after(316_000)) == nil)
    #expect(contact.passed(at: after(317_000)) == .unreached(milliseconds: 310_000))
    #expect(contact.lane(isUp: true, at: after(318_000)) == .reached(afterMilliseconds: 311_000))
  }
}
