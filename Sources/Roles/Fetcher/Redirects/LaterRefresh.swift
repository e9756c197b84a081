import JSONQuery
import Links

/// A refresh that waits too long to be a redirect: told in the row, not followed.
struct LaterRefresh: Sendable {
  var seconds: Int
  var url: String

  func write(to row: inout JSONWriter) {
    row.beginObject("refresh")
    row.member("seconds", seconds)
    row.member("url", url)
    row.endObject()
  }
}
