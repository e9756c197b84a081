internal import Curl

/// Counts all bytes that connections receive. libcurl's callbacks leave out what a peer wraps around a body.
///
/// An exchange costs two look-ups. The kernel is asked only about connections whose exchanges take long.
final class TrafficBook {
  private struct Entry {
    let socket: Int32
    /// Of those that are counted since `start`.
    var exchanges = 0
    var active = 0
    /// Bytes received before they began; nil until they are first counted.
    var start: Int64?
  }

  private var entries: [ConnectionName: Entry] = [:]
  /// A number that the system gives out again is another connection's.
  private var names: [Int32: ConnectionName] = [:]

  /// - Parameter sockets: Those that were opened for the exchange; none when an earlier connection is used again.
  func began(on connection: ConnectionName, opened sockets: [Int32]) {
    for socket in sockets where ConnectionName(ofSocket: socket) == connection {
      let former = names.updateValue(connection, forKey: socket)
      if let former, entries[former]?.socket == socket { entries[former] = nil }
      entries[connection] = Entry(socket: socket, start: 0)
    }
    guard var entry = entries[connection] else { return }
    if entry.active == 0, entry.exchanges > 0 { (entry.start, entry.exchanges) = (nil, 0) }
    entry.active += 1
    entry.exchanges += 1
    entries[connection] = entry
  }

  func ended(on connection: ConnectionName) {
    entries[connection]?.active -= 1
  }

  /// Bytes received for each of the exchanges on the connection, on average; 0 when unknown.
  func bytesPerExchange(on connection: ConnectionName) -> Int64 {
    guard let entry = entries[connection], let received = SocketFacts.receivedBytes(entry.socket)
    else { return 0 }
    guard let start = entry.start else {
      entries[connection]?.start = received
      return 0
    }
    return (received - start) / Int64(max(entry.exchanges, 1))
  }
}
