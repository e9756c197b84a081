import JSONQuery
import Pipeline

/// A response on the way that led on to another address.
struct Hop: Sendable {
  var url: String
  var status: Int
  var address: String?
  var milliseconds: Int64

  init(url: String, response: FetchResponse, milliseconds: Int64) {
    self.url = url
    status = response.status
    address = response.remoteAddress
    self.milliseconds = milliseconds
  }

  func write(to row: inout JSONWriter) {
    row.beginObject()
    row.member("url", url)
    row.key("status")
    row.int(status)
    row.member("via", "location")
    row.key("ms")
    row.int(max(0, milliseconds))
    row.member("address", address)
    row.endObject()
  }
}
