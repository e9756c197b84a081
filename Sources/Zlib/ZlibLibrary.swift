internal import CZlib

/// The zlib that this process runs with.
public enum ZlibLibrary {
  public static var version: String { unsafe String(cString: zlibVersion()) }
}
