extension FrameWriter {
  mutating func answer(_ job: JobID, _ json: [UInt8]?) {
    header.flags = QuestionCode.job
    payload.uuid(job.uuid)
    payload.block(json ?? [])
  }

  mutating func answer(_ jobs: [UInt8], next: JobSearch.Place?, to query: UUIDv7?) {
    answers(query, QuestionCode.jobs)
    payload.block(jobs)
    payload.place(next)
  }
}

/// Which jobs a client wants to see, and where a page begins. 0 is any state and any kind, and no time.
extension ByteWriter {
  mutating func listing(_ listing: JobListing) {
    let search = listing.search
    integer(search.phase?.rawValue ?? 0)
    integer(search.kind?.rawValue ?? 0)
    integer(search.since?.unixMilliseconds ?? 0)
    integer(UInt16(clamping: search.limit))
    optionalText(search.host)
    optionalText(listing.link)
    place(search.from)
  }

  mutating func place(_ place: JobSearch.Place?) {
    integer(UInt8(place == nil ? 0 : place?.through == nil ? 1 : 2))
    guard let place else { return }
    integer(place.serial)
    if let through = place.through { uuid(through.uuid) }
  }
}

extension ByteReader {
  /// The batch stands elsewhere, and keys are made from the link.
  mutating func listing() throws(FrameError) -> JobListing {
    var search = JobSearch()
    search.phase = try optionalCode("state")
    search.kind = try optionalCode("kind")
    search.since = try optionalMoment("since")
    search.limit = Int(try integer("limit", as: UInt16.self))
    search.host = try optionalText("host")
    let link = try optionalText("link")
    search.from = try place()
    return JobListing(search, link: link)
  }

  mutating func place() throws(FrameError) -> JobSearch.Place? {
    let form = try integer("place", as: UInt8.self)
    guard form > 0 else { return nil }
    guard form <= 2 else { throw .malformed("place") }
    let serial = try integer("place", as: Int64.self)
    return JobSearch.Place(serial: serial, through: form == 2 ? JobID(try uuid("place")) : nil)
  }
}

/// Which jobs an order is about; its batch stands elsewhere.
extension ByteWriter {
  mutating func choice(_ choice: JobChoice) {
    integer(UInt8(choice.job == nil ? 0 : 1))
    if let job = choice.job { uuid(job.uuid) }
    optionalText(choice.host)
    integer(choice.since?.unixMilliseconds ?? 0)
  }

  mutating func search(_ search: BatchSearch) {
    integer(search.state?.rawValue ?? 0)
    optionalText(search.name)
    integer(search.since?.unixMilliseconds ?? 0)
    integer(search.before?.unixMilliseconds ?? 0)
    integer(UInt8(search.isUnread ? 1 : 0))
    integer(search.from ?? 0)
    integer(UInt16(clamping: search.limit))
  }
}

extension ByteReader {
  mutating func choice(of batch: BatchID?) throws(FrameError) -> JobChoice {
    var choice = JobChoice(batch)
    if try flag("job") { choice.job = JobID(try uuid("job")) }
    choice.host = try optionalText("host")
    choice.since = try optionalMoment("since")
    guard !choice.isEmpty else { throw .malformed("choice") }
    return choice
  }

  mutating func search() throws(FrameError) -> BatchSearch {
    var search = BatchSearch()
    search.state = try optionalCode("state")
    search.name = try optionalText("name")
    search.since = try optionalMoment("since")
    search.before = try optionalMoment("before")
    search.isUnread = try flag("unread")
    let from = try integer("place", as: Int64.self)
    if from != 0 { search.from = from }
    search.limit = Int(try integer("limit", as: UInt16.self))
    return search
  }
}
