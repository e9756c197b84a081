import PipelineTesting
import Testing

@testable import Posix

struct FileClaimTests {
  private let place: TemporaryDirectory
  private var path: String { place.file("lock") }

  init() throws {
    place = try TemporaryDirectory()
  }

  @Test func `the id of a process that was killed is written over`() throws {
    try write("2147483646\n", to: path)
    let left = try Descriptor.reading(path: path)
    let claim = try FileClaim(path: path)
    #expect(left.isFile(at: path))
    #expect(try content(of: path) == "\(processID)\n")
    #expect(try FileClaim.holder(path: path) == processID)
    withExtendedLifetime(claim) {}
  }

  @Test func `a lock file that is removed is made again, unless another process has it by then`() throws {
    var claim: FileClaim? = try FileClaim(path: path)
    #expect(claim?.makeAgain() == false, "it is there")
    #expect(removeFile(path: path))
    #expect(claim?.makeAgain() == true)
    #expect(try FileClaim.holder(path: path) == processID)
    #expect(throws: FileClaim.Refusal.held(process: processID)) { try FileClaim(path: path) }
    #expect(removeFile(path: path))
    let other = try FileClaim(path: path)
    #expect(claim?.makeAgain() == false)
    claim = nil
    #expect(try FileClaim.holder(path: path) == processID, "it is the other's")
    withExtendedLifetime(other) {}
  }

  @Test func `a lock holds on a full disk, which has no room for an id`() throws {
    let full = try Descriptor.writing(path: "/dev/full")
    #expect(throws: PosixError(call: "write", code: 28)) { try full.writeAll([0x31]) }
    #expect(throws: Never.self) { try FileClaim.note(processID, in: full) }
  }

  @Test(.enabled(if: mayReadFile("/proc/locks")))
  func `the holder of a lock file without an id is still known`() throws {
    let claim = try FileClaim(path: path)
    try write("", to: path)
    #expect(try FileClaim.holder(path: path) == processID)
    #expect(throws: FileClaim.Refusal.held(process: processID)) { try FileClaim(path: path) }
    withExtendedLifetime(claim) {}
  }

  @Test(
    arguments: [
      ("fe:00:17", 20_874), ("fe:00:18", nil), ("fe:00:19", nil), ("fe:00:20", nil), ("00:2a:17", 7),
      ("fe:00:21", nil), ("fe:00:1", nil),
    ] as [(String, Int32?)])
  func `only a process that holds a whole file for itself counts`(file: String, holder: Int32?) {
    let text = """
      1: FLOCK  ADVISORY  WRITE 20874 fe:00:17 0 EOF
      1: -> FLOCK  ADVISORY  WRITE 20875 fe:00:17 0 EOF
      2: FLOCK  ADVISORY  READ 5 fe:00:18 0 EOF
      3: POSIX  ADVISORY  WRITE 6 fe:00:19 1073741824 1073742335
      4: FLOCK  ADVISORY  WRITE 0 fe:00:20 0 EOF
      5: FLOCK  ADVISORY  WRITE 7 00:2a:17 0 EOF
      6: FLOCK

      """
    #expect(KernelLocks.holder(of: file, in: text) == holder)
  }
}

/// The name of this user in the passwd database, as a file; nil for one from elsewhere.
private let nameInFile: String? = {
  let lines = (try? content(of: "/etc/passwd"))?.split(separator: "\n") ?? []
  for line in lines {
    let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if fields.count > 2, fields[2] == String(userID) { return fields[0] }
  }
  return nil
}()

struct UserTests {
  @Test(.enabled(if: nameInFile != nil))
  func `this user has the name of the passwd database`() {
    #expect(userName == nameInFile)
  }
}
