import JSONQuery
import Links
import Pipeline

/// How a response leads on.
package enum Via: String, Sendable {
  case location
  case refreshHeader = "refresh_header"
  case metaRefresh = "meta_refresh"
}

/// A response on the way that led on to another address.
struct Hop: Sendable {
  var url: String
  var status: Int
  /// How it led on; nil when it was to lead on and did not say where.
  var via: Via?
  var address: String?
  var milliseconds: Int64

  init(_ url: WebURL, _ response: FetchResponse, via: Via?, milliseconds: Int64) {
    self.url = url.href
    self.via = via
    status = response.status
    address = response.remoteAddress
    self.milliseconds = milliseconds
  }

  func write(to row: inout JSONWriter) {
    row.beginObject()
    row.member("url", url)
    row.member("status", status)
    row.member("via", via?.rawValue)
    row.member("ms", max(0, milliseconds))
    row.member("address", address)
    row.endObject()
  }
}

extension [Hop] {
  /// As JSON objects with commas between them, behind those of an earlier part of the walk.
  func json(after earlier: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return earlier }
    var row = JSONWriter(reservingCapacity: earlier.count + 160 * count)
    if !earlier.isEmpty { row.raw(earlier) }
    for hop in self { hop.write(to: &row) }
    return row.bytes
  }
}

/// A refresh that waits too long to be a redirect: told in the row, not followed.
package struct LaterRefresh: Sendable {
  package var seconds: Int
  package var url: String

  package init(seconds: Int, url: String) {
    (self.seconds, self.url) = (seconds, url)
  }

  func write(to row: inout JSONWriter) {
    row.beginObject("refresh")
    row.member("seconds", seconds)
    row.member("url", url)
    row.endObject()
  }
}
