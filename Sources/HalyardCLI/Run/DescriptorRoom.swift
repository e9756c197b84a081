import FetchCurl
import Posix
import Roles

/// Keeps transfers to the files that may be open: connections that cannot be opened would look like servers that do
/// not answer.
enum DescriptorRoom {
  /// Descriptors for anything but connections, with room to spare.
  private static let otherDescriptors = 64

  static func fit(_ curl: inout CurlSettings, _ fetcher: inout FetcherSettings) {
    let wanted = curl.connections
    guard let limit = raiseDescriptorLimit(to: wanted + otherDescriptors) else { return }
    let room = max(limit - otherDescriptors, limit / 2)
    guard room < wanted else { return }
    Message.show(
      "halyard: \(room) transfers at a time, not \(wanted): only \(limit) files may be open (ulimit -n)\n")
    curl.connections = room
    curl.idleConnections = min(curl.idleConnections, room)
    fetcher.concurrency = min(fetcher.concurrency, room)
  }
}

/// Waits for the thread that fetches on another one.
enum CurlEnd {
  static func wait(for fetching: CurlFetching) async {
    try? await BlockingWorker(name: "end of fetching").run { fetching.shutdown() }
  }
}
