import JSONQuery
import Pipeline

/// Rows of jobs whose page is read, and whose oEmbed endpoint is not.
extension OEmbedContinuation {
  /// The row, with why there is nothing of the endpoint.
  func row(of job: Job, without failure: Failure, attempts: UInt16, milliseconds: Int64) -> [UInt8] {
    var row = JSONWriter(reservingCapacity: findings.count + card.count + 256)
    if !findings.isEmpty { row.raw(findings) }
    row.key("card")
    row.raw(Self.card(card, without: failure))
    return RowComposer.row(
      of: job, failure: self.failure, findings: row.bytes, attempts: attempts, milliseconds: milliseconds)
  }

  /// A card with one more member.
  static func card(_ card: [UInt8], without failure: Failure) -> [UInt8] {
    var fault = JSONWriter()
    fault.key("embed_error")
    fault.beginObject()
    fault.member("kind", failure.kind.rawValue)
    fault.member("message", failure.message)
    fault.endObject()
    return card.dropLast() + [UInt8(ascii: ",")] + fault.bytes + [UInt8(ascii: "}")]
  }
}
