package import Pipeline

/// Sends every envelope as the bytes of its frame, so that a scenario also proves the codec.
package struct FramedTransport: Transport {
  private let base: any Transport

  package init(over base: any Transport) {
    self.base = base
  }

  package func bind(_ address: Address) async throws -> any Inbox {
    try await base.bind(address)
  }

  package func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    FramedOutlet(base: try await base.connect(to: address, notifying: inbox))
  }
}

private struct FramedOutlet: Outlet {
  let base: any Outlet

  func send(_ burst: [Envelope]) async throws {
    var decoded: [Envelope] = []
    var refusal: TransportError?
    for envelope in burst {
      do {
        decoded.append(try EnvelopeCodec.decode(try EnvelopeCodec.encode(envelope)))
      } catch let error as FrameTooLarge {
        refusal = refusal ?? .tooLarge(bytes: error.bytes, limit: error.limit)
      }
    }
    try await base.send(decoded)
    if let refusal { throw refusal }
  }

  func receiverSpoke() {
    base.receiverSpoke()
  }

  func close() async {
    await base.close()
  }
}
