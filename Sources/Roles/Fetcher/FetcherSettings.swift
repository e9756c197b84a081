public import Links
public import Pipeline

/// What a fetcher may spend on one job.
public struct FetcherSettings: Sendable {
  /// Jobs under way at once.
  public var concurrency: Int
  public var maxHops: Int
  /// One attempt in all, every hop included.
  public var timeoutMilliseconds: Int64
  /// Pages are cut here; decoded bytes.
  public var pageCapBytes: Int
  /// Data beyond this is refused; decoded bytes.
  public var dataCapBytes: Int
  /// Asks so first where no body is needed; what does not like HEAD is asked again with GET.
  public var method = FetchRequest.Method.get
  /// Headers for the link's own origin, and for no other that it redirects to.
  public var ownHeaders: [HeaderField] = []
  /// What is for some hosts alone, whether links or redirects lead there.
  public var hosts = HostRequests()
  /// The name under which robots.txt is obeyed at each hop; nil to ignore robots.txt.
  public var robotsName: ProductToken?

  public init(
    concurrency: Int = 256, maxHops: Int = 20, timeoutMilliseconds: Int64 = 30_000,
    pageCapBytes: Int = 1 << 20, dataCapBytes: Int = 8 << 20
  ) {
    self.concurrency = max(1, concurrency)
    self.maxHops = maxHops
    self.timeoutMilliseconds = timeoutMilliseconds
    self.pageCapBytes = pageCapBytes
    self.dataCapBytes = dataCapBytes
  }
}
