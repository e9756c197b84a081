import Pipeline
import PipelineTesting
import Roles

/// Runs one job through a whole pipeline.
func row(
  of draft: JobDraft, over pages: [String: FetchResponse], in transport: TransportUnderTest = .inProcess
) async throws -> Row {
  let rows = try await TestPipeline(transport).run([draft], over: ScriptedFetching(pages))
  guard let row = rows.first, rows.count == 1 else { throw WrongCount(rows: rows.count) }
  return try Row(row)
}

struct WrongCount: Error {
  var rows: Int
}
