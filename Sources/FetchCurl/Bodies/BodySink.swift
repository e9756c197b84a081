internal import Curl
internal import Pipeline
internal import Posix
internal import Synchronization

/// Keeps what is wanted of a body, within its caps.
struct BodySink {
  private(set) var bytes: [UInt8] = []
  private(set) var isTruncated = false
  /// What is still to be kept.
  private var wish = BodyPolicy.nothing
  private var wireCap = 0
  private var smallRest = 0
  private var length: Int64?
  private var dropped = 0
  /// So much is read of which nothing is kept.
  private var mostDropped = 0

  init() {}

  init(_ wish: BodyPolicy, length: Int64?, settings: CurlSettings, expecting bytes: Int = 0) {
    self.wish = wish
    self.length = length
    wireCap = settings.wireBodyCapBytes
    smallRest = settings.smallRestBytes
    mostDropped = smallRest
    self.bytes.reserveCapacity(bytes)
  }

  mutating func add(_ part: Span<UInt8>, wireBytes: Int64) -> BodyIntake.Step {
    switch wish {
    case .nothing:
      dropped += part.count
      return dropped > mostDropped ? .cut(.enough) : .more
    case .startOfPage(let cap):
      bytes.append(copying: part.extracting(0..<min(max(cap - bytes.count, 0), part.count)))
      guard bytes.count >= cap || wireBytes > wireCap else { return .more }
      dropped = bytes.count
      let rest = length.map { $0 - wireBytes } ?? 0
      wish = .nothing
      if length != nil { mostDropped += cap }
      return rest > Int64(smallRest) ? .cut(.enough) : .enters(.rest)
    case .page(let cap):
      let room = max(cap - bytes.count, 0)
      if part.count <= room, wireBytes <= wireCap {
        bytes.append(copying: part)
        return .more
      }
      bytes.append(copying: part.extracting(0..<min(room, part.count)))
      return stopKeeping(wireBytes: wireBytes)
    case .whole(let cap):
      if wireBytes > wireCap { return .cut(.bodyTooLarge(cap: wireCap)) }
      guard part.count <= cap - bytes.count else { return .cut(.bodyTooLarge(cap: cap)) }
      bytes.append(copying: part)
      return .more
    }
  }

  private mutating func stopKeeping(wireBytes: Int64) -> BodyIntake.Step {
    isTruncated = true
    guard let length, length - wireBytes <= Int64(smallRest) else { return .cut(.enough) }
    wish = .nothing
    return .enters(.rest)
  }
}

/// One loop's view of the memory that large bodies share.
///
/// The start of every body is free, so that an ordinary page never waits for others.
final class BodyRoom {
  private let memory: LargeBodyMemory
  /// What the first waiting order needs; no other order of this loop may take it.
  var wanted = 0

  init(_ memory: LargeBodyMemory) {
    self.memory = memory
  }

  var free: Int { memory.free }

  /// What is set aside for an order whose body may become so large: something, and never more than there is in all.
  func share(of bytes: Int) -> Int { min(max(bytes - BodyMemory.freeBytes, 1), memory.total) }

  /// - Returns: False when there is no room for so many bytes more.
  func take(_ bytes: Int) -> Bool { memory.take(bytes, leaving: wanted) }

  func setAside(_ bytes: Int) { memory.add(bytes) }

  func giveBack(_ bytes: Int) { memory.add(-bytes) }
}

/// The memory of all large bodies, on whatever thread they are received: those that come in, and those that their callers
/// still hold.
package final class LargeBodyMemory: Sendable {
  let total: Int
  private let taken = Atomic(0)

  package init(total: Int) {
    self.total = total
  }

  var free: Int { total - taken.load(ordering: .relaxed) }

  func take(_ bytes: Int, leaving rest: Int) -> Bool {
    var before = taken.load(ordering: .relaxed)
    while bytes <= total - before - rest {
      let exchange = taken.weakCompareExchange(
        expected: before, desired: before + bytes, ordering: .relaxed)
      if exchange.exchanged { return true }
      before = exchange.original
    }
    return false
  }

  func add(_ bytes: Int) { taken.add(bytes, ordering: .relaxed) }
}

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
