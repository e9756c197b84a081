import Glibc
import PipelineTesting
import Testing

@testable import Posix

@Suite struct StreamFileTests {
  @Test func `a file that was moved away is made anew, with its mode`() throws {
    let directory = try TemporaryDirectory()
    let log = directory.file("log")
    let stream = try Descriptor.writing(path: log, appending: true)
    setMode(log, 0o640)
    let file = try #require(StreamFile(of: stream.number))
    try stream.writeAll(Array("one\n".utf8))
    #expect(try !file.reopen())
    #expect(unsafe rename(log, "\(log).1") == 0)
    #expect(try file.reopen())
    try stream.writeAll(Array("two\n".utf8))
    #expect(try content(of: log) == "two\n")
    #expect(try content(of: "\(log).1") == "one\n")
    #expect(try mode(of: log).map { $0 & 0o137 } == 0)
    #expect(try !file.reopen())
  }

  @Test func `no link is followed, and the stream stays where it was`() throws {
    let directory = try TemporaryDirectory()
    let (log, other) = (directory.file("log"), directory.file("other"))
    let stream = try Descriptor.writing(path: log)
    let file = try #require(StreamFile(of: stream.number))
    #expect(removeFile(path: log))
    try write("", to: other)
    makeLink(other, at: log)
    #expect(throws: DistrustedPath(log, .failed(PosixError(call: "open", code: 40)))) { try file.reopen() }
    try stream.writeAll(Array("one\n".utf8))
    #expect(try content(of: other) == "")
  }

  @Test func `a pipe is no file`() throws {
    #expect(StreamFile(of: try Descriptor.pipe().writing.number) == nil)
  }
}
