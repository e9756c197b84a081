public import Pipeline
import Posix
public import Roles

/// Jobs from a list.
public final class ListFeed: JobFeed {
  private let drafts: [JobDraft]
  private let position = Lock(0)

  public init(_ drafts: [JobDraft]) {
    self.drafts = drafts
  }

  public convenience init(_ kind: JobKind, _ inputs: [String?]) {
    self.init(inputs.map { JobDraft(kind: kind, input: $0) })
  }

  public func next(atMost limit: Int) async throws -> [JobDraft]? {
    position.withLock { position in
      guard position < drafts.count else { return nil }
      let end = min(position + limit, drafts.count)
      defer { position = end }
      return Array(drafts[position..<end])
    }
  }
}
