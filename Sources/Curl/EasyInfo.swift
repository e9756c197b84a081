internal import CCurl

/// When the steps of a transfer were over, in microseconds from its start; 0 where one did not happen.
public struct TransferTimes: Hashable, Sendable {
  public let nameLookup: Int64
  public let connect: Int64
  public let tls: Int64
  public let firstByte: Int64
  public let total: Int64
}

extension EasyHandle {
  /// May be asked while the transfer runs.
  public var times: TransferTimes {
    unsafe TransferTimes(
      nameLookup: offset(CURLINFO_NAMELOOKUP_TIME_T, of: handle),
      connect: offset(CURLINFO_CONNECT_TIME_T, of: handle),
      tls: offset(CURLINFO_APPCONNECT_TIME_T, of: handle),
      firstByte: offset(CURLINFO_STARTTRANSFER_TIME_T, of: handle),
      total: offset(CURLINFO_TOTAL_TIME_T, of: handle))
  }

  /// The system's number of the error that ended the connection; nil when there was none.
  public var systemError: Int32? {
    var number = 0
    guard unsafe halyard_get_long(handle, CURLINFO_OS_ERRNO, &number) == CURLE_OK, number != 0
    else { return nil }
    return CInt(truncatingIfNeeded: number)
  }
}

func offset(_ info: CURLINFO, of handle: UnsafeMutableRawPointer) -> Int64 {
  var value: curl_off_t = 0
  return unsafe halyard_get_offset(handle, info, &value) == CURLE_OK ? Int64(value) : 0
}
