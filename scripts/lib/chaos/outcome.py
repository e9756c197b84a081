"""How a fault may end besides well or badly."""


class LeftOut(Exception):
    """This machine does not let us make what a fault needs."""


class Missed:
    """Not survived, but only by a bound: a share that was fetched again, a time, or something that depends on how busy the
    machine is. It is as false as a lost row, and stands last, so that a loss comes first: `passed and within(took < 2)`."""

    def __bool__(self):
        return False


MISSED = Missed()


def within(is_so):
    return True if is_so else MISSED


def judged(attempt, tell):
    """What becomes of a fault: (outcome, seconds, what it told). One that misses a bound is tried once more, and both
    are told; what is lost or doubled is never tried again. `attempt` returns (passed, told) and seconds."""
    passed, told, seconds = attempt()
    if passed is MISSED:
        tell("missed", seconds, told)
        passed, told, seconds = attempt()
    return "survived" if passed else "FAILED", seconds, told
