import FetchCurl
import Posix
import Roles

/// Keeps transfers to the files that may be open.
enum DescriptorRoom {
  static func fit(_ curl: inout CurlSettings, _ fetcher: inout FetcherSettings) {
    let wanted = curl.connections
    guard let limit = raiseDescriptorLimit(to: curl.wantedDescriptors) else { return }
    curl.fit(descriptors: limit)
    guard curl.connections < wanted else { return }
    Message.show(
      "halyard: \(curl.connections) transfers at a time, not \(wanted): only \(limit) files may be open (ulimit -n)\n"
    )
    fetcher.concurrency = min(fetcher.concurrency, curl.connections)
  }
}

/// Waits for the thread that fetches on another one.
enum CurlEnd {
  static func wait(for fetching: CurlFetching) async {
    try? await BlockingWorker(name: "end of fetching").run { fetching.shutdown() }
  }
}
