"""The version of Headlight as a whole: HL_RELEASE of src/headlight.h; a test compares."""

__version__ = "0.2.0"
