import Pipeline
import Testing

@testable import Roles

struct SoloRunTests {
  private let job = JobID(UUIDv7(high: 1, low: 1))
  private let other = JobID(UUIDv7(high: 1, low: 2))
  private let busy = WorkerID(UUIDv7(high: 2, low: 1))
  private let idle = WorkerID(UUIDv7(high: 2, low: 2))
  private var solo = SoloRun()

  @Test mutating func `a suspect goes to an idle fetcher, which gets nothing else meanwhile`() {
    solo.began(other, at: busy)
    solo.add(job)
    let next = solo.next(where: { _ in true }, among: [busy, idle])
    #expect(next?.job == job)
    #expect(next?.worker == idle)
    solo.began(job, at: idle)
    #expect(solo.isReserved(idle))
    solo.ended(job, at: idle)
    #expect(!solo.isReserved(idle))
  }

  @Test mutating func `when all are busy one is kept free until it is idle`() {
    solo.began(other, at: busy)
    solo.add(job)
    #expect(solo.next(where: { _ in true }, among: [busy]) == nil)
    #expect(solo.isReserved(busy))
    solo.ended(other, at: busy)
    #expect(solo.next(where: { _ in true }, among: [busy])?.job == job)
  }

  @Test mutating func `suspects run one after another`() {
    solo.add(job)
    solo.add(other)
    #expect(solo.next(where: { _ in true }, among: [idle, busy])?.job == job)
    #expect(solo.next(where: { _ in true }, among: [idle, busy]) == nil)
    solo.ended(job, at: idle)
    #expect(solo.next(where: { _ in true }, among: [idle, busy])?.job == other)
  }

  @Test mutating func `a suspect that is over meanwhile is dropped`() {
    solo.add(job)
    #expect(solo.next(where: { _ in false }, among: [idle]) == nil)
    #expect(!solo.isReserved(idle))
  }
}
