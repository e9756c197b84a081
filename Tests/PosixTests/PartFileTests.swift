import PipelineTesting
import Testing

@testable import Posix

struct PartFileTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
  }

  private var target: String { place.file("rows") }
  private var part: String { place.file("rows.part") }

  @Test(arguments: [0o600, 0o640, 0o644] as [UInt32])
  func `a part has the mode of the file whose place it takes`(mode wanted: UInt32) throws {
    try write("old", to: target, mode: wanted)
    let file = try PartFile(beside: target)
    #expect(try mode(of: part) == UInt32(wanted))
    try file.writeAll(Array("new".utf8))
    try file.takePlace()
    #expect(try content(of: target) == "new")
    #expect(try mode(of: target) == UInt32(wanted))
  }

  @Test func `a part that an interrupted run left is made anew, and who opened it sees nothing`() throws {
    try write("left", to: part, mode: 0o666)
    let reader = try Descriptor.reading(path: part)
    try write("", to: target, mode: 0o600)
    let file = try PartFile(beside: target)
    try file.writeAll(Array("new".utf8))
    #expect(try mode(of: part) == 0o600)
    #expect(try reader.readChunk() == Array("left".utf8))
    #expect(throws: PartFile.Refusal.held) { try PartFile(beside: target) }
  }

  @Test func `a part that is gone on with ends as one file, without its note`() throws {
    do {
      let killed = try PartFile(beside: target, goingOn: true)
      #expect(killed.noted.isEmpty)
      try killed.writeAll(Array("one two thr".utf8))
      try killed.note(Array("3".utf8))
      try killed.note(Array("7".utf8))
    }
    let next = try PartFile(beside: target, goingOn: true)
    #expect(next.noted == Array("7".utf8) && next.size == 11)
    #expect(throws: PartFile.Refusal.held) { try PartFile(beside: target, goingOn: true) }
    try next.goOn(from: 7)
    try next.writeAll(Array(" three".utf8))
    try next.takePlace()
    #expect(try content(of: target) == "one two three")
    #expect(try FileFacts(at: "\(part).place") == nil && FileFacts(at: part) == nil)
  }

  @Test func `a part is begun anew without its note's part, or for a file of another mode`() throws {
    try write("7", to: "\(part).place", mode: 0o600)
    try #expect(PartFile(beside: target, goingOn: true).noted.isEmpty)
    try write("left", to: part, mode: 0o644)
    try write("7", to: "\(part).place", mode: 0o600)
    try write("secret", to: target, mode: 0o600)
    let other = try PartFile(beside: target, goingOn: true)
    #expect(other.noted.isEmpty && other.size == 0)
    other.remove()
    #expect(try FileFacts(at: "\(part).place") == nil)
  }

  @Test(.enabled(if: isRoot))
  func `a note that another user made is refused`() throws {
    try write("7", to: "\(part).place", mode: 0o666)
    give("\(part).place")
    #expect(throws: PartFile.Refusal.distrusted(DistrustedPath("\(part).place", .foreign(owner: stranger)))) {
      try PartFile(beside: target, goingOn: true)
    }
  }

  @Test func `a part that an interrupted run left and that cannot be removed is refused`() throws {
    try write("left", to: part, mode: 0o600)
    #expect(throws: PartFile.Refusal.notReplaceable) { try PartFile(beside: target) { _ in false } }
    #expect(try content(of: part) == "left")
  }

  @Test func `a link or pipe in the place of a part is refused, and not written through`() throws {
    try write("kept", to: place.file("other"))
    makeLink(place.file("other"), at: part)
    #expect(throws: PartFile.Refusal.distrusted(DistrustedPath(part, .wrongKind))) {
      try PartFile(beside: target)
    }
    #expect(try content(of: place.file("other")) == "kept")
    _ = removeFile(path: part)
    makePipe(part)
    #expect(throws: PartFile.Refusal.self) { try PartFile(beside: target) }
  }

  @Test(.enabled(if: isRoot))
  func `a part that another user made is never taken over`() throws {
    try write("", to: part, mode: 0o666)
    give(part)
    #expect(throws: PartFile.Refusal.distrusted(DistrustedPath(part, .foreign(owner: stranger)))) {
      try PartFile(beside: target)
    }
    #expect(try FileFacts(at: part)?.owner == stranger)
  }

  @Test(.enabled(if: isRoot))
  func `a link of another user does not choose the file that is replaced`() throws {
    try write("precious", to: place.file("precious"))
    makeLink(place.file("precious"), at: target)
    give(target)
    #expect(throws: PartFile.Refusal.distrusted(DistrustedPath(target, .foreign(owner: stranger)))) {
      try PartFile(beside: target)
    }
    #expect(try content(of: place.file("precious")) == "precious")
  }

  @Test(.enabled(if: isRoot))
  func `a part belongs to the group of the file whose place it takes`() throws {
    try write("", to: target, mode: 0o640)
    giveToGroup(target)
    _ = try PartFile(beside: target)
    #expect(try mode(of: part) == 0o640)
    #expect(group(of: part) == stranger)
  }

  @Test func `a part stands beside the file that a link of ours leads to`() throws {
    try makeDirectory(path: place.file("real"))
    makeLink("real", at: place.file("way"))
    makeLink(place.file("way/../way/file"), at: target)
    let file = try PartFile(beside: target)
    #expect(file.path == place.file("real/file.part"))
    try file.writeAll(Array("new".utf8))
    try file.takePlace()
    #expect(try content(of: place.file("real/file")) == "new")
    #expect(try FileFacts(at: target)?.kind == .link)
  }

  @Test(.enabled(if: isRoot))
  func `a directory that a link of another user leads to is refused`() throws {
    try makeDirectory(path: place.file("ours"))
    makeLink("ours", at: place.file("way"))
    give(place.file("way"))
    let error = PartFile.Refusal.distrusted(DistrustedPath(place.file("way"), .foreign(owner: stranger)))
    #expect(throws: error) { try PartFile(beside: place.file("way/rows")) }
  }
}
