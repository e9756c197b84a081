import PipelineTesting
import Testing

@testable import Posix

struct SafeFileTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
  }

  @Test func `a file that is made is its owner's alone, and one that is there keeps its mode`() throws {
    try SafeFile.prepare(path: place.file("new"))
    #expect(try mode(of: place.file("new")) == 0o600)
    try write("kept", to: place.file("old"), mode: 0o644)
    try SafeFile.prepare(path: place.file("old"))
    #expect(try mode(of: place.file("old")) == 0o644)
    #expect(try content(of: place.file("old")) == "kept")
    #expect(throws: DistrustedPath.self) { try SafeFile.prepare(path: place.path) }
  }

  @Test(.enabled(if: isRoot))
  func `a file of another user is refused, and one beside it`() throws {
    try write("", to: place.file("theirs"))
    give(place.file("theirs"))
    #expect(throws: DistrustedPath(place.file("theirs"), .foreign(owner: stranger))) {
      try SafeFile.prepare(path: place.file("theirs"))
    }
    try write("", to: place.file("db-wal"))
    give(place.file("db-wal"))
    #expect(throws: DistrustedPath(place.file("db-wal"), .foreign(owner: stranger))) {
      try SafeFile.prepare(path: place.file("db"), suffixes: ["-wal"])
    }
    makeLink(place.file("mine"), at: place.file("link"))
    give(place.file("link"))
    #expect(throws: DistrustedPath.self) { try SafeFile.prepare(path: place.file("link")) }
    #expect(try FileFacts(at: place.file("mine")) == nil)
  }

  @Test func `files beside it that are made are there before anybody else can make them`() throws {
    try SafeFile.prepare(path: place.file("db"), suffixes: ["-wal"], making: ["-wal"])
    #expect(try mode(of: place.file("db-wal")) == 0o600)
    try SafeFile.check(beside: place.file("db"), suffix: "-wal")
    #expect(throws: DistrustedPath(place.file("db-journal"), .missing)) {
      try SafeFile.check(beside: place.file("db"), suffix: "-journal")
    }
  }

  @Test(.enabled(if: isRoot))
  func `a file beside it that another user was quicker to make is found`() throws {
    try write("", to: place.file("db-wal"))
    give(place.file("db-wal"))
    #expect(throws: DistrustedPath(place.file("db-wal"), .foreign(owner: stranger))) {
      try SafeFile.check(beside: place.file("db"), suffix: "-wal")
    }
  }

  @Test func `a secret that others can read is refused, and what to do is said`() throws {
    try write("secret", to: place.file("key"), mode: 0o644)
    let path = place.file("key")
    let error = #expect(throws: DistrustedPath.self) { try SafeFile.readingSecret(path: path) }
    #expect(
      error?.message == "\(path) holds a secret that other users can read (mode 0644); run chmod 600 on it")
    #expect(try SafeFile.readingTrusted(path: path).readChunk() == Array("secret".utf8))
    setMode(path, 0o600)
    #expect(try SafeFile.readingSecret(path: path).readChunk() == Array("secret".utf8))
  }

  @Test(.enabled(if: isRoot))
  func `a lock that another user made is refused`() throws {
    try write("1\n", to: place.file("lock"))
    give(place.file("lock"))
    #expect(
      throws: FileClaim.Refusal.distrusted(DistrustedPath(place.file("lock"), .foreign(owner: stranger)))
    ) { try FileClaim(path: place.file("lock")) }
  }

  @Test func `a pipe in the place of a lock is refused at once`() throws {
    makePipe(place.file("lock"))
    #expect(throws: FileClaim.Refusal.self) { try FileClaim(path: place.file("lock")) }
  }
}
