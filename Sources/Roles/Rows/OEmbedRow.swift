import JSONQuery
import Pipeline

/// What is said of jobs whose page is read, and whose oEmbed endpoint is not.
extension OEmbedContinuation {
  /// JSON members of the row, with why there is nothing of the endpoint.
  func members(without failure: Failure) -> [UInt8] {
    var row = JSONWriter(reservingCapacity: bytes + Failure.longestMessage)
    row.members(members)
    row.card(card, without: failure)
    return row.bytes
  }
}

extension JSONWriter {
  /// Writes a card of these members.
  ///
  /// - Parameter failure: Why there is nothing in it of the page's oEmbed endpoint; nil when none was to be asked.
  mutating func card(_ members: [UInt8], without failure: Failure?) {
    beginObject("card")
    self.members(members)
    if let failure {
      beginObject("embed_error")
      member("kind", failure.kind.rawValue)
      member("message", failure.message)
      endObject()
    }
    endObject()
  }
}
