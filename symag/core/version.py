"""The version of symag."""

VERSION = "0.1.0"
