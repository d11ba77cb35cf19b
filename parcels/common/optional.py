"""Optional packages: which extra of the distribution brings them, and the error where they are not installed."""

from importlib.util import find_spec

from parcels.errors import ConfigError

DISTRIBUTION = "parcels-web"  # on the package index, where `parcels` is another project; imported as `parcels`
PACKAGES = {"sklearn": "scikit-learn", "prometheus_client": "prometheus-client"}  # where the import name differs


def install_command(extra: str) -> str:
    """Return the command that installs an extra.

    >>> install_command("learn") == f"pip install '{DISTRIBUTION}[learn]'"
    True
    """
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def missing_extra(need: str, *, extra: str) -> ConfigError:
    """Return the error for a missing package: what needs it, and the command that installs it."""
    return ConfigError(f"{need}: {install_command(extra)}")


def require_packages(*modules: str, extra: str, purpose: str) -> None:
    """Raise ConfigError unless all modules are installed; none of them is imported.

    >>> require_packages("json", "no_such_package", extra="learn", purpose="the example")
    Traceback (most recent call last):
    parcels.errors.ConfigError: the example needs no_such_package: pip install ...
    """
    missing = [PACKAGES.get(module, module) for module in modules if find_spec(module) is None]
    if missing:
        raise missing_extra(f"{purpose} needs {' and '.join(missing)}", extra=extra)
