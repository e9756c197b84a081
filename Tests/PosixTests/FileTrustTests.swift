import Testing

@testable import Posix

struct FileTrustTests {
  private let trust = FileTrust(user: 1_000)

  @Test(
    arguments: [
      (0, 0o755, nil), (1_000, 0o700, nil), (0, 0o1777, nil), (1_000, 0o1775, nil),
      (1_001, 0o755, DistrustedPath.Reason.foreign(owner: 1_001)),
      (65_534, 0o1777, .foreign(owner: 65_534)),
      (1_000, 0o775, .writableByOthers(mode: 0o775)), (0, 0o777, .writableByOthers(mode: 0o777)),
    ] as [(UInt32, UInt32, DistrustedPath.Reason?)])
  func `a directory on the way is ours or root's, and closed to others or sticky`(
    owner: UInt32, mode: UInt32, fault: DistrustedPath.Reason?
  ) {
    #expect(trust.fault(onTheWay: FileFacts(kind: .directory, owner: owner, mode: mode)) == fault)
  }

  @Test func `others can add nothing to a private directory`() {
    let shared = FileFacts(kind: .directory, owner: 0, mode: 0o1777)
    #expect(trust.fault(ofPrivate: shared) == .writableByOthers(mode: 0o1777))
    #expect(trust.fault(ofPrivate: FileFacts(kind: .directory, owner: 1_000, mode: 0o755)) == nil)
    #expect(trust.fault(ofPrivate: FileFacts(kind: .regular, owner: 1_000, mode: 0o644)) == .wrongKind)
  }

  @Test(
    arguments: [
      (1_000, 0o600, nil), (0, 0o640, nil), (0, 0o644, nil),
      (1_000, 0o640, DistrustedPath.Reason.readableByOthers(mode: 0o640)),
      (1_000, 0o604, .readableByOthers(mode: 0o604)), (0, 0o660, .writableByOthers(mode: 0o660)),
      (7, 0o600, .foreign(owner: 7)),
    ] as [(UInt32, UInt32, DistrustedPath.Reason?)])
  func `nobody else reads a secret`(owner: UInt32, mode: UInt32, fault: DistrustedPath.Reason?) {
    #expect(trust.fault(ofSecret: FileFacts(kind: .regular, owner: owner, mode: mode)) == fault)
  }

  @Test func `in a user namespace the owner of the root directory is trusted like root`() {
    let directory = FileFacts(kind: .directory, owner: 65_534, mode: 0o1777)
    #expect(FileTrust(user: 0, ownerOfRoot: 65_534).fault(onTheWay: directory) == nil)
  }
}
