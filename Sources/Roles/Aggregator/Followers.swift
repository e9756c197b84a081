import Pipeline

/// Who waits for rows of which batch, and how many more each will take.
struct Followers {
  struct Follower {
    let batch: BatchID
    let address: Address
    /// The number of the last row that was sent.
    var sent: UInt64
    /// No row beyond this number is wanted yet.
    var limit: UInt64
    /// What it had when it asked last.
    var confirmed: UInt64
    var knowsTheEnd = false
  }

  private struct Key: Hashable {
    var batch: BatchID
    var address: Address
  }

  /// Rows read from the ledger at once.
  static let chunk = 256
  /// Rows of this size travel alone.
  static let messageBytes = 1 << 20

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

  var all: [Follower] { Array(followers.values) }

  mutating func asked(for batch: BatchID, by address: Address, confirmed: UInt64, limit: UInt64) {
    let key = Key(batch: batch, address: address)
    guard var follower = followers[key] else {
      followers[key] = Follower(
        batch: batch, address: address, sent: confirmed, limit: limit, confirmed: confirmed)
      return
    }
    if follower.confirmed == confirmed {
      // It asks the same again: what was sent since has not arrived.
      follower.sent = confirmed
    }
    follower.confirmed = confirmed
    follower.limit = max(follower.limit, limit)
    follower.sent = max(follower.sent, confirmed)
    // Whoever asks again is answered again; a batch may also have grown since its end was told.
    follower.knowsTheEnd = false
    followers[key] = follower
  }

  /// Nobody is at this address any more.
  mutating func left(_ address: Address) {
    followers = followers.filter { $0.key.address != address }
  }

  mutating func sent(_ follower: Follower, upTo number: UInt64) {
    followers[Key(batch: follower.batch, address: follower.address)]?.sent = number
  }

  mutating func toldTheEnd(_ follower: Follower) {
    followers[Key(batch: follower.batch, address: follower.address)]?.knowsTheEnd = true
  }
}
