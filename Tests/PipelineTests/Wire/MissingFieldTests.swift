import Testing

@testable import Pipeline

/// What cannot be answered, or is of no host, is no message.
struct MissingFieldTests {
  private static let id = UUIDv7(high: 1, low: 2)
  private static let address = Address("inproc://a")

  static let messages: [(message: Message, field: UInt8, refusal: String)] = [
    (.query(Query(replyTo: address, .storedRows(of: nil, after: .first))), 1, "field 1 of Query"),
    (.ask(Ask(StatusQuestion(), replyTo: address, id: id)), 1, "field 1 of Ask"),
    (.submit(Submit(batch: BatchID(id), sequence: 0, replyTo: address, jobs: [])), 3, "field 3 of Submit"),
    (
      .hello(
        Hello(worker: WorkerID(id), role: .fetcher, locality: "", address: address, granted: 0, received: 0)),
      4,
      "field 4 of Hello"
    ),
    (
      .roster(Roster(decoders: [Roster.Peer(worker: WorkerID(id), address: address)])), 2,
      "field 2 of Peer"
    ),
    (
      .hostSlotRequest(
        HostSlotRequest(from: WorkerID(id), token: LeaseToken(1), number: 0, host: address.text)), 4,
      "field 4 of HostSlotRequest"
    ),
  ]

  @Test(arguments: messages)
  func `a message without an address or a host that it needs is refused`(
    row: (message: Message, field: UInt8, refusal: String)
  ) throws {
    var frame = try FrameSurgery(on: Envelope(row.message))
    let field = [row.field | FieldForm.block.rawValue << 6, UInt8(Self.address.text.utf8.count)]
    let text = Array(Self.address.text.utf8)
    let place = try #require(
      frame.bytes.indices.first { frame.bytes[$0...].starts(with: field + text) }, "\(frame.bytes)")
    // Its number becomes one that nobody knows, which is skipped.
    frame.bytes[place] = 50 | FieldForm.block.rawValue << 6
    frame.fixChecksum()
    #expect(frame.refusal() == .malformed(row.refusal))
  }
}
