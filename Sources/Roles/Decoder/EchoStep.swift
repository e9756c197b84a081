import JSONQuery
import Pipeline

/// The step `echo`: when each role had the job.
enum EchoStep {
  static func read(_ document: Document, at microseconds: Int64, into row: inout JSONWriter) -> Failure? {
    var order = document.order
    order.pass(.decoder, at: microseconds)
    row.key("trace")
    row.beginObject()
    for point in order.trace {
      row.key(point.role.name)
      row.int(point.microseconds)
    }
    row.endObject()
    return document.failure
  }
}
