import JSONQuery
import Pipeline

/// The step `echo`: when each role had the job.
enum EchoStep {
  static func read(_ document: Document, at microseconds: Int64, into row: inout JSONWriter) -> Failure? {
    var order = document.order
    order.pass(.decoder, at: microseconds)
    row.beginObject("trace")
    for point in order.trace {
      row.member(point.role.name, point.microseconds)
    }
    row.endObject()
    return document.failure
  }
}
