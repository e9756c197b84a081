/// All jobs of an input, pulled in bursts by a thread that may block.
struct JobSource {
  private var reader: any JobReader
  private let origin: DescriptorSource?
  /// A fault that was met behind jobs which are still good.
  private var failure: InputError?

  /// - Parameter origin: What the reader's bytes come from in the end, if it is a file or standard input.
  init(_ reader: any JobReader, origin: DescriptorSource? = nil) {
    self.reader = reader
    self.origin = origin
  }

  /// How much of the input has been read, in 0...1; nil when the size is unknown.
  var fractionRead: Double? { origin?.fractionRead }

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
