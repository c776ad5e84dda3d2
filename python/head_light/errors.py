"""The exception of this package: a sentence on what was wrong, what was expected, what to do."""


class HeadLightError(ValueError):
    """A wrong argument, or something that is missing on this machine."""
