import Pipeline

/// Who waits for rows of which batch, and how many more each will take.
struct Followers {
  struct Follower {
    let batch: BatchID
    let address: Address
    /// The number of the last row that was sent.
    fileprivate(set) var sent: UInt64
    /// What it had when it asked last.
    fileprivate(set) var confirmed: UInt64
    /// No row beyond this number is wanted yet.
    fileprivate(set) var limit: UInt64
    var knowsTheEnd = false
    /// It is to be told when there is nothing more for it now.
    var asksForEnd = false
    /// Messages that have not been confirmed, by their last row.
    fileprivate var underWay: [(last: UInt64, bytes: Int)] = []

    /// Bytes of rows that may be sent before more are confirmed.
    var room: Int { underWay.reduce(Followers.mostBytesUnderWay) { $0 - $1.bytes } }

    mutating func sends(_ message: [NumberedRow]) {
      guard let last = message.last else { return }
      sent = last.number
      underWay.append((sent, message.reduce(0) { $0 + $1.json.count }))
    }

    mutating func confirms(upTo number: UInt64) {
      confirmed = number
      sent = max(sent, number)
      underWay.removeAll { $0.last <= number }
    }

    /// What was sent has not arrived.
    mutating func startsAgain() {
      sent = confirmed
      underWay = []
    }
  }

  private struct Key: Hashable {
    var batch: BatchID
    var address: Address
  }

  /// Rows read from the ledger at once.
  static let chunk = 256
  /// Rows of this size travel alone.
  static let messageBytes = 1 << 20
  /// Sent to one reader before it confirms some of it: large rows wait in the ledger for a slow reader.
  static let mostBytesUnderWay = 4 << 20

  /// Rows in messages that are neither many nor large.
  static func messages(of rows: [NumberedRow]) -> [[NumberedRow]] {
    var messages: [[NumberedRow]] = []
    var bytes = 0
    for row in rows {
      if messages.isEmpty || bytes + row.json.count > messageBytes {
        messages.append([])
        bytes = 0
      }
      messages[messages.count - 1].append(row)
      bytes += row.json.count
    }
    return messages
  }

  private var followers: [Key: Follower] = [:]
  /// All of them; the one that was not served for longest is the first.
  private var line: [Key] = []
  /// How many of them may have something to come.
  private var owed = 0

  /// Batches that one reader may follow at a time.
  static let mostOfOne = 64
  static let most = 4_096
  /// Served in one turn; each costs reads of the ledger.
  static let servedAtOnce = 64

  var all: [Follower] { line.compactMap { followers[$0] } }

  /// Some are to be served still.
  var areOwed: Bool { owed > 0 }

  /// There may be something for each of them.
  mutating func owe() {
    owed = followers.values.count { !$0.knowsTheEnd }
  }

  /// Those that are served next; they go behind all others.
  mutating func next() -> [Follower] {
    guard owed > 0 else { return [] }
    var chosen: [Key] = []
    for key in line where chosen.count < min(owed, Self.servedAtOnce) {
      if followers[key]?.knowsTheEnd == false { chosen.append(key) }
    }
    owed = chosen.count < Self.servedAtOnce ? 0 : owed - chosen.count
    let moved = Set(chosen)
    line.removeAll { moved.contains($0) }
    line += chosen
    return chosen.compactMap { followers[$0] }
  }

  /// - Parameter isSending: What was sent to it is held up on this side still.
  mutating func asked(
    for batch: BatchID, by address: Address, confirmed: UInt64, limit: UInt64, isSending: Bool = false,
    asksForEnd: Bool = false
  ) {
    let key = Key(batch: batch, address: address)
    guard var follower = followers[key] else {
      makeRoom(for: address)
      followers[key] = Follower(
        batch: batch, address: address, sent: confirmed, confirmed: confirmed, limit: limit,
        asksForEnd: asksForEnd)
      line.append(key)
      return
    }
    // It asks the same again.
    if follower.confirmed == confirmed, !isSending { follower.startsAgain() }
    follower.confirms(upTo: confirmed)
    follower.limit = max(follower.limit, limit)
    follower.asksForEnd = asksForEnd
    // A repeated question is answered again; the batch may also have grown since its end was told.
    follower.knowsTheEnd = false
    followers[key] = follower
  }

  /// A reader that is dropped asks again.
  private mutating func makeRoom(for address: Address) {
    guard line.count >= Self.mostOfOne else { return }
    if line.count(where: { $0.address == address }) >= Self.mostOfOne,
      let oldest = line.firstIndex(where: { $0.address == address })
    {
      followers[line.remove(at: oldest)] = nil
    } else if line.count >= Self.most {
      followers[line.removeFirst()] = nil
    }
  }

  /// The peer at this address is gone.
  mutating func left(_ address: Address) {
    followers = followers.filter { $0.key.address != address }
    line.removeAll { $0.address == address }
  }

  /// Keeps what became of a follower; one that has left stays away.
  mutating func served(_ follower: Follower) {
    let key = Key(batch: follower.batch, address: follower.address)
    if followers[key] != nil { followers[key] = follower }
  }
}
