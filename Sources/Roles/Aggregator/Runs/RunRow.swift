import JSONQuery
import Pipeline
import Recipes

/// What a run's row says beyond every row: the gathered value, and how each step ended.
enum RunRow {
  static func members(_ outcome: RecipeOutcome) -> [UInt8] {
    var row = JSONWriter()
    if let value = outcome.value {
      row.key("value")
      row.value(value)
    }
    row.beginObject("steps")
    for step in outcome.steps {
      row.key(step.name)
      write(step, to: &row)
    }
    row.endObject()
    return row.bytes
  }

  private static func write(_ step: RecipeOutcome.Step, to row: inout JSONWriter) {
    row.beginObject()
    switch step.ending {
    case .done: row.member("status", "ok")
    case .skipped: row.member("status", "skipped")
    case .failed(let failure):
      row.member("status", "failed")
      write(failure, to: &row)
    case .cancelled(let cause):
      row.member("status", "cancelled")
      row.member("because", cause)
    }
    if !step.leftOut.isEmpty {
      row.objects("left_out", of: step.leftOut) { row, call in
        row.member("ordinal", call.ordinal)
        write(call.failure, to: &row)
      }
    }
    row.member("notes", step.notes)
    row.endObject()
  }

  private static func write(_ failure: RecipeFailure, to row: inout JSONWriter) {
    row.beginObject("error")
    row.member("kind", failure.kind)
    row.member("message", failure.message)
    row.endObject()
  }
}
