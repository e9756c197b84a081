import LedgerForwarding
import Pipeline

/// Nothing is heard while it is at a commit, so that whoever is asked for messages knows that a turn is over.
struct InstantLedger: ForwardingLedger {
  let base: any Ledger
  let isInstant = true
}
