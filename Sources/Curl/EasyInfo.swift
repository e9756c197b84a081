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

  /// Of the last response: 10, 11, 20 or 30; nil when there was none.
  public var httpVersion: Int? {
    switch number(CURLINFO_HTTP_VERSION) {
    case CURL_HTTP_VERSION_1_0: 10
    case CURL_HTTP_VERSION_1_1: 11
    case CURL_HTTP_VERSION_2_0: 20
    case CURL_HTTP_VERSION_3: 30
    default: nil
    }
  }

  /// How many connections were made for the transfer.
  public var newConnections: Int { number(CURLINFO_NUM_CONNECTS) }

  private func number(_ info: CURLINFO) -> Int {
    var number = 0
    return unsafe halyard_get_long(handle, info, &number) == CURLE_OK ? number : 0
  }

  /// The system's number of the error that ended the connection; nil when there was none.
  public var systemError: Int32? {
    let error = number(CURLINFO_OS_ERRNO)
    return error == 0 ? nil : CInt(truncatingIfNeeded: error)
  }
}

func offset(_ info: CURLINFO, of handle: UnsafeMutableRawPointer) -> Int64 {
  var value: curl_off_t = 0
  return unsafe halyard_get_offset(handle, info, &value) == CURLE_OK ? Int64(value) : 0
}
