"""How a fault may end besides well or badly."""


class LeftOut(Exception):
    """This machine lets nobody make what a fault needs."""
