package import Pipeline
import Posix
package import Roles

/// Jobs from a list.
package final class ListFeed: JobFeed {
  private let drafts: [JobDraft]
  private let position = Lock(0)

  package init(_ drafts: [JobDraft]) {
    self.drafts = drafts
  }

  package convenience init(_ kind: JobKind, _ inputs: [String?]) {
    self.init(inputs.map { JobDraft(kind: kind, input: $0) })
  }

  package func next(atMost limit: Int) async throws -> [JobDraft]? {
    position.withLock { position in
      guard position < drafts.count else { return nil }
      let end = min(position + limit, drafts.count)
      defer { position = end }
      return Array(drafts[position..<end])
    }
  }
}
