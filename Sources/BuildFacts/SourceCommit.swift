internal import CBuildFacts

/// The commit of the sources that this program was built from, with `-changed` behind it when they were edited since;
/// `unknown` unless `HALYARD_COMMIT` was set for the build.
package var sourceCommit: String { unsafe String(cString: halyard_commit()) }

/// The Swift that compiled this program.
package var swiftVersion: String {
  #if compiler(>=6.5)
    "6.5 or newer"
  #elseif compiler(>=6.4)
    "6.4"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}
