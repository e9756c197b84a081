import Posix
import Testing

@testable import HalyardCLI

@Suite(.timeLimit(.minutes(1)))
struct ConsoleTests {
  @Test func `what was said last is written before the process ends`() async throws {
    let (written, isOpen, stop) = (Lock<[String]>([]), try Permits(0), try StopSignal())
    let console = Console { text in
      try? isOpen.take(unless: stop)
      written.withLock { $0.append(text) }
    }
    try console.startWriter()
    for word in ["starts", "ends"] { console.soon { console.write(word) } }
    #expect(written.value.isEmpty)
    for _ in 0..<2 { isOpen.giveBack() }
    await console.settle()
    #expect(written.value == ["starts", "ends"])
  }

  @Test func `a terminal that is not read keeps no process from its end`() async throws {
    let (isOpen, stop) = (try Permits(0), try StopSignal())
    let console = Console { _ in try? isOpen.take(unless: stop) }
    try console.startWriter()
    console.soon { console.write("ends") }
    await console.settle()
    isOpen.giveBack()
  }
}
