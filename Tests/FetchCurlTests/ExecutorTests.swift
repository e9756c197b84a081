import FetchCurl
import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ExecutorTests {
  @Test func `tasks that follow an exchange run on the thread that fetches`() async {
    let server = RawServer { peer in
      while peer.readRequest() != nil { peer.send([UInt8](page("next").utf8)) }
    }
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    let url = server.url
    let names = await Task(executorPreference: fetching.executor) {
      var names: [String] = []
      for _ in 0..<3 {
        let answer = await fetching.fetch(
          FetchRequest(url: url, body: .page(capBytes: 100), deadline: deadline()))
        #expect(answer.failure == nil)
        names.append(threadName())
      }
      return names
    }.value
    #expect(names == ["fetching", "fetching", "fetching"])
  }

  @Test func `after shutdown tasks still run, and their exchanges end in cancelled`() async {
    let fetching = CurlFetching(settings: loopbackSettings())
    fetching.shutdown()
    let failure = await Task(executorPreference: fetching.executor) {
      await fetching.fetch(FetchRequest(url: "http://127.0.0.1:1/", body: .nothing, deadline: deadline()))
    }.value.failure
    #expect(failure?.kind == .cancelled)
  }

  private func threadName() -> String {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return name?.trimmingCharacters(in: .newlines) ?? ""
  }
}
