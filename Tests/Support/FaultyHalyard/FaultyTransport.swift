import Pipeline

/// Lanes at whose ends a process dies or stands still.
struct FaultyTransport: Transport {
  let base: any Transport
  let fault: Fault

  func bind(_ address: Address) async throws -> any Inbox {
    FaultyInbox(base: try await base.bind(address), fault: fault)
  }

  func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    FaultyOutlet(base: try await base.connect(to: address, notifying: inbox), fault: fault)
  }
}

private struct FaultyInbox: Inbox {
  let base: any Inbox
  let fault: Fault

  var address: Address { base.address }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    let burst = try await base.receive(atMost: limit, until: moment)
    fault.passes(.received)
    return burst
  }

  func note(_ notice: LaneNotice) async {
    await base.note(notice)
  }

  func close() async {
    await base.close()
  }
}

private struct FaultyOutlet: Outlet {
  let base: any Outlet
  let fault: Fault

  func send(_ burst: [Envelope]) async throws {
    fault.passes(.beforeSend)
    if fault.isDue(at: .duringSend) {
      try await base.send(Array(burst.prefix(burst.count / 2)))
      fault.end()
    }
    try await base.send(burst)
    fault.passes(.afterSend)
  }

  func receiverSpoke() {
    base.receiverSpoke()
  }

  func close() async {
    await base.close()
  }
}
