// Channels and scopes belong to the library; the pipeline itself uses them too, so they stand on a lower floor.
@_exported public import Coordination
