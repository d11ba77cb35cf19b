"""Make a certificate per run, so that clients that do not verify can request https addresses through CONNECT.

It is self-signed, made for the first such connection, and deleted with the process. Scrapy does not verify
certificates by default; curl does not with `--insecure`.
"""

import datetime as dt
import ssl
import tempfile
from functools import cache
from pathlib import Path

from parcels.common.optional import missing_extra

DAYS = 2


@cache
def server_context() -> ssl.SSLContext:
    """Return the server's side of TLS with a throw-away certificate."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import NameOID
    except ImportError as error:
        raise missing_extra("https through the replay needs cryptography", extra="crawl") from error
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "parcels replay")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=DAYS))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as file:  # the ssl module reads certificates from files only
        Path(file.name).write_bytes(pem + certificate.public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(file.name)
    return context
