import Pipeline

// What a fleet says of its members.
extension GoldenMessages {
  static let fetchOptions = FetchOptions(
    given: [
      .init(name: "user-agent", values: ["gr\u{FC}n/1.0"]),
      .init(name: "allow-address", values: ["10.0.0.0/8", "::1"]),
      .init(name: "http1", values: []),
    ],
    hash: 0x0123_4567_89AB_CDEF, withheld: ["cookie"])

  static let rosterOfOptions: Roster = {
    var roster = Roster(decoders: [decoder(1)])
    roster.fetchOptions = 0x0123_4567_89AB_CDEF
    return roster
  }()
}
