import Posix
import Roles

/// Jobs that are all there already.
final class DraftFeed: JobFeed {
  private let drafts: Lock<ArraySlice<JobDraft>>

  init(_ drafts: [JobDraft]) {
    self.drafts = Lock(drafts[...])
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    let taken = drafts.withLock { drafts in
      defer { drafts = drafts.dropFirst(limit) }
      return Array(drafts.prefix(limit))
    }
    return taken.isEmpty ? nil : taken
  }
}
