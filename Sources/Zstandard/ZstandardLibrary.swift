internal import CZstandard

/// The libzstd that this process runs with.
public enum ZstandardLibrary {
  public static var version: String { unsafe String(cString: ZSTD_versionString()) }
}
