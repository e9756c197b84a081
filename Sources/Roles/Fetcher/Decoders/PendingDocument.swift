import Pipeline

/// A document on its way to a decoder, until one has finished with it.
struct PendingDocument {
  /// In the box it travels in.
  private(set) var document: Message
  let token: LeaseToken
  /// Of its body, without those that are free.
  let bytes: Int
  /// Decoders that died while they had it. Its place in the fetcher's own lane was given back with the first that had
  /// it.
  private(set) var deaths = 0

  /// A decoder dies of many things, and seldom of a page: to read suspects takes long, so one death makes none.
  private static let deathsUntilSuspect = 2

  init(_ document: Document) {
    self.document = .document(document)
    token = document.order.lease.token
    bytes = max(document.body.count - BodyMemory.freeBytes, 0)
  }

  var afterDecoderDied: PendingDocument {
    var pending = self
    pending.deaths += 1
    if pending.deaths == Self.deathsUntilSuspect, case .document(var document) = document,
      document.order.job.kind != .echo
    {
      document.order.isSuspect = true
      pending.document = .document(document)
    }
    return pending
  }
}
