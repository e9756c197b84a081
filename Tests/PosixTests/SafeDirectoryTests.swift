import PipelineTesting
import Testing

@testable import Posix

struct SafeDirectoryTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
  }

  private func refusal(_ body: () throws -> Void) -> DistrustedPath? {
    do {
      try body()
      return nil
    } catch {
      return error as? DistrustedPath
    }
  }

  @Test func `what is missing is made for its owner alone`() throws {
    _ = try SafeDirectory(place.file("a/b/c"), making: .all)
    for name in ["a", "a/b", "a/b/c"] { #expect(try mode(of: place.file(name)) == 0o700) }
    #expect(refusal { _ = try SafeDirectory(place.file("x/y"), making: .last) }?.reason == .missing)
    #expect(refusal { _ = try SafeDirectory(place.file("x"), making: .nothing) }?.reason == .missing)
  }

  @Test func `a directory that others may write to is refused, wherever it stands on the way`() throws {
    _ = try SafeDirectory(place.file("open/own"), making: .all)
    setMode(place.file("open"), 0o777)
    let way = refusal { _ = try SafeDirectory(place.file("open/own"), making: .nothing) }
    #expect(way == DistrustedPath(place.file("open"), .writableByOthers(mode: 0o777)))
    setMode(place.file("open"), 0o1777)
    #expect(refusal { _ = try SafeDirectory(place.file("open/own"), making: .nothing) } == nil)
    let last = refusal { _ = try SafeDirectory(place.file("open"), making: .nothing) }
    #expect(last?.reason == .writableByOthers(mode: 0o1777))
  }

  @Test func `links of our own lead on, and what they lead to is checked`() throws {
    _ = try SafeDirectory(place.file("real/below"), making: .all)
    makeLink("real", at: place.file("link"))
    makeLink("../real/below/..", at: place.file("real/round"))
    #expect(try SafeDirectory(place.file("link/below"), making: .nothing).path.hasSuffix("/real/below"))
    #expect(try SafeDirectory(place.file("real/round/below"), making: .nothing).path.hasSuffix("/real/below"))
    setMode(place.file("real"), 0o770)
    #expect(refusal { _ = try SafeDirectory(place.file("link/below"), making: .nothing) } != nil)
    makeLink("loop", at: place.file("loop"))
    #expect(refusal { _ = try SafeDirectory(place.file("loop/x"), making: .all) }?.reason == .tooManyLinks)
  }

  @Test func `a file that has its bytes already stays as it is`() throws {
    let directory = try SafeDirectory(place.file("own"), making: .all)
    #expect(try directory.keep(Array("one".utf8), as: "note"))
    let path = place.file("own/note")
    let first = try Descriptor.reading(path: path)
    #expect(try directory.keep(Array("one".utf8), as: "note"))
    #expect(first.isFile(at: path))
    #expect(try directory.keep(Array("on".utf8), as: "note"))
    #expect(!first.isFile(at: path))
    #expect(try content(of: path) == "on")
    #expect(try mode(of: path) == 0o600)
  }

  @Test func `a file on the way is no directory`() throws {
    try write("", to: place.file("file"))
    #expect(refusal { _ = try SafeDirectory(place.file("file/x"), making: .all) }?.reason == .wrongKind)
  }

  @Test(.enabled(if: isRoot))
  func `a directory or link that another user planted is refused`() throws {
    _ = try SafeDirectory(place.file("shared"), making: .all)
    setMode(place.file("shared"), 0o1777)
    _ = try makePrivateDirectory(path: place.file("shared/planted"))
    give(place.file("shared/planted"))
    for path in ["shared/planted", "shared/planted/fleet"] {
      let refused = refusal { _ = try SafeDirectory(place.file(path), making: .all) }
      #expect(refused == DistrustedPath(place.file("shared/planted"), .foreign(owner: stranger)))
    }
    _ = try SafeDirectory(place.file("own"), making: .all)
    makeLink(place.file("own"), at: place.file("shared/link"))
    give(place.file("shared/link"))
    #expect(
      refusal { _ = try SafeDirectory(place.file("shared/link"), making: .nothing) }?.reason
        == .foreign(owner: stranger))
  }

  @Test(.enabled(if: isRoot))
  func `a file that another user left in a directory is found`() throws {
    let own = try SafeDirectory(place.file("own"), making: .all)
    try write("x", to: place.file("own/address"))
    try own.checkContents()
    #expect(try own.reading("address")?.readChunk() == Array("x".utf8))
    give(place.file("own/address"))
    #expect(refusal { try own.checkContents() }?.path == "\(own.path)/address")
    #expect(refusal { _ = try own.reading("address") }?.reason == .foreign(owner: stranger))
    try own.replacing("address").writeAll([0x79])
    #expect(try own.reading("address")?.readChunk() == [0x79])
    #expect(try mode(of: place.file("own/address")) == 0o600)
  }

  @Test func `notes are read neither through links nor from pipes`() throws {
    let own = try SafeDirectory(place.file("own"), making: .all)
    try write("x", to: place.file("other"))
    makeLink(place.file("other"), at: place.file("own/address"))
    #expect(refusal { _ = try own.reading("address") }?.reason == .wrongKind)
    makePipe(place.file("own/pipe"))
    #expect(refusal { _ = try own.reading("pipe") }?.reason == .wrongKind)
    #expect(try own.reading("nothing") == nil)
  }
}
