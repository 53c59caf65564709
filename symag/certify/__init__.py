"""Separate code that re-checks every verdict: replay of traces, premises of certificates, and their files."""

from symag.certify.acceptance import accept, check_certificate
from symag.certify.files import read_certificate, read_trace, write_certificate, write_trace
from symag.certify.replay import replay

__all__ = [
    "accept",
    "check_certificate",
    "read_certificate",
    "read_trace",
    "replay",
    "write_certificate",
    "write_trace",
]
