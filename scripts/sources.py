"""What was measured or checked is known by the sources that it was done with."""

import hashlib
from pathlib import Path

import roundel


def digest(*parts: str) -> str:
    """Of the sources of some parts of the package: an edit of them begins anew."""
    package = Path(roundel.__file__).parent
    sources = [path for part in parts for path in sorted((package / part).rglob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
