import Glibc
import PipelineTesting
import Testing

@testable import Posix

/// Output into a directory to which another user adds files.
@Suite(.timeLimit(.minutes(5)))
struct FilePlaceTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
    setMode(place.path, 0o1777)
  }

  private var target: String { place.file("rows") }

  @Test(.enabled(if: isRoot))
  func `a file or pipe that another user planted in a shared directory is not written`() throws {
    let error = DistrustedPath(target, .foreign(owner: stranger))
    try write("theirs", to: target, mode: 0o666)
    give(target)
    #expect(throws: error) { try FilePlace(target).writing() }
    #expect(try content(of: target) == "theirs")
    _ = removeFile(path: target)
    makePipe(target)
    give(target)
    #expect(throws: error) { try FilePlace(target).writing() }
  }

  @Test(.enabled(if: isRoot))
  func `a file of another user in a directory that is not shared is written as it is`() throws {
    setMode(place.path, 0o755)
    try write("theirs", to: target, mode: 0o666)
    give(target)
    try FilePlace(target).writing().writeAll(Array("new".utf8))
    #expect(try content(of: target) == "new")
    #expect(try FileFacts(at: target)?.owner == stranger)
  }

  @Test func `what is open already is found by its number`() throws {
    let file = try Descriptor.writing(path: target)
    try FilePlace("/dev/fd/\(file.number)").writing().writeAll(Array("new".utf8))
    #expect(try content(of: target) == "new")
    #expect(throws: PartFile.Refusal.notReplaceable) { try PartFile(beside: "/proc/self/fd/\(file.number)") }
    try FilePlace("/dev/null").writing().writeAll(Array("new".utf8))
  }

  @Test(arguments: ["missing/rows", "rows/rows"])
  func `a way that leads nowhere is an error of the system`(way: String) throws {
    try write("", to: target)
    let error = #expect(throws: DistrustedPath.self) { try FilePlace(place.file(way)) }
    guard case .failed = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `links that lead to each other are given up`() throws {
    makeLink("b", at: place.file("a"))
    makeLink("a", at: place.file("b"))
    #expect(throws: DistrustedPath(place.file("a"), .tooManyLinks)) { try FilePlace(place.file("a")) }
  }

  /// Plants a link and takes it away in turn, as fast as it can, until its input ends.
  private static let attack = """
    import os, select, sys
    victim, target = sys.argv[1:]
    os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
    os.write(1, b"ready\\n")
    def attempt(call, *words):
        try: call(*words)
        except OSError: pass
    while not select.select([0], [], [], 0)[0]:
        for _ in range(200):
            attempt(os.symlink, victim, target)
            attempt(os.unlink, target)
            attempt(os.close, os.open(os.devnull, os.O_RDONLY))
    """

  @Test(.enabled(if: isRoot))
  func `no race of another user sends the output to a file of his choice`() throws {
    let ours = try TemporaryDirectory()
    let victim = ours.file("precious")
    try write("precious", to: victim)
    let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
    _ = try ChildProcess.start(
      path: "/usr/bin/env", arguments: ["env", "python3", "-c", Self.attack, victim, target],
      streams: ChildProcess.Streams(input: input.reading, output: output.writing, messages: output.writing))
    let said = String(decoding: try output.reading.readChunk(), as: UTF8.self)
    #expect(said == "ready\n")
    var refused = 0
    for _ in 0..<2_000 {
      do {
        let file = try PartFile(beside: target)
        try file.writeAll(Array("rows".utf8))
        try file.takePlace()
      } catch PartFile.Refusal.notReplaceable {
        _ = try? FilePlace(target).writing().writeAll(Array("rows".utf8))
      } catch PartFile.Refusal.distrusted {
        refused += 1
      }
      if try FileFacts(at: target)?.owner == 0 { _ = removeFile(path: target) }
    }
    #expect(refused > 0)
    #expect(try content(of: victim) == "precious")
    #expect(fileNames(in: ours.path) == ["precious"])
    try input.writing.writeAll([0])
  }
}
