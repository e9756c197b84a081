import Pipeline
import Testing

@testable import Roles

/// What an outcome tells about its host.
struct HostSignTests {
  @Test(
    arguments: [
      (.httpStatus, .answer), (.notHTML, .answer), (.connect, .noWay(.connect)), (.timeout, .noWay(.timeout)),
      (.robots, .silence), (.blockedAddress, .silence), (.deadline, .silence),
    ] as [(FailureKind, HostSign)])
  func `only what the host itself did counts`(_ kind: FailureKind, _ sign: HostSign) {
    #expect(HostSign(Failure(kind, at: .connect, "", retryable: true)) == sign)
  }

  @Test(
    arguments: [
      (.queue, .silence), (.dns, .noWay(.timeout)), (.connect, .noWay(.timeout)), (.tls, .noWay(.timeout)),
      (.firstByte, .slowness), (.headers, .slowness), (.body, .slowness),
    ] as [(Stage, HostSign)])
  func `a page that is slow is not a host that cannot be reached`(_ stage: Stage, _ sign: HostSign) {
    #expect(HostSign(Failure(.timeout, at: stage, "", retryable: true)) == sign)
  }

  @Test func `a success is an answer`() {
    #expect(HostSign(nil) == .answer)
  }
}
