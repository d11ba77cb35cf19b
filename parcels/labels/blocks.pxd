# Compiled as it stands: see setup.py.
