"""How a fault may end besides well or badly."""


class LeftOut(Exception):
    """This machine does not let us make what a fault needs."""
