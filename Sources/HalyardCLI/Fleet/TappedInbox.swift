import Pipeline

/// An inbox with something around each receiving.
struct TappedInbox: Inbox {
  let base: any Inbox
  let receiving: @Sendable (_ base: any Inbox, _ limit: Int, _ moment: Moment?) async throws -> [Delivery]

  var address: Address { base.address }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    try await receiving(base, limit, moment)
  }

  func note(_ notice: LaneNotice) async {
    await base.note(notice)
  }

  func close() async {
    await base.close()
  }
}
