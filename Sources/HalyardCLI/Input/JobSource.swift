/// All jobs of an input, pulled in bursts by a thread that may block.
struct JobSource {
  private var reader: any JobReader
  /// A fault that was met behind jobs which are still good.
  private var failure: InputError?

  init(_ reader: any JobReader) {
    self.reader = reader
  }

  /// At least one and at most `limit` jobs; none at the end.
  ///
  /// A burst ends early rather than wait for a slow source. After an error there is nothing more.
  mutating func nextBurst(limit: Int) throws(InputError) -> [InputJob] {
    if let failure { throw failure }
    let limit = max(limit, 1)
    var drafts: [InputJob] = []
    do {
      reading: while drafts.count < limit {
        switch try reader.next(mayWait: drafts.isEmpty) {
        case .item(let draft): drafts.append(draft)
        case .pending where !drafts.isEmpty: break reading
        case .pending: continue
        case .end: break reading
        }
      }
    } catch {
      failure = error
      guard !drafts.isEmpty else { throw error }
    }
    return drafts
  }
}
