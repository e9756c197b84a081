extension FrameWriter {
  mutating func answer(_ job: JobID, _ json: [UInt8]?) {
    header.flags = QuestionCode.job
    payload.uuid(job.uuid)
    payload.block(json ?? [])
  }

  mutating func answer(_ jobs: [UInt8], next: JobSearch.Place?, to query: UUIDv7?) {
    header.job = query ?? FrameHeader.noID
    header.flags = QuestionCode.jobs
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
    let phase = try integer("state", as: UInt8.self)
    if phase != 0 {
      guard let known = JobPhase(rawValue: phase) else { throw .malformed("state") }
      search.phase = known
    }
    let kind = try integer("kind", as: UInt8.self)
    if kind != 0 {
      guard let known = JobKind(rawValue: kind) else { throw .malformed("kind") }
      search.kind = known
    }
    let since = try integer("since", as: Int64.self)
    if since != 0 { search.since = Moment(unixMilliseconds: since) }
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
