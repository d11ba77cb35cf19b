# Two commands on a fresh machine: `make demo` and `make test`. Everything else is for developers.
.DEFAULT_GOAL := help
.PHONY: help demo test check quality bench sanitize wheel docs setup clean
SETUP := @bash deploy/setup.sh
PYTHON := .venv/bin/python
ARGS :=

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: ## the whole pipeline, offline, on the example web
	$(SETUP) demo java
	.venv/bin/parcels demo $(ARGS)

test: setup ## all tests (ARGS="-k name" for some)
	$(PYTHON) -m pytest -n 2 --dist loadgroup $(ARGS)

check: ## format, lint and types, in seconds
	$(SETUP) packages
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy

quality: setup ## scores on the labelled corpora against their floors
	$(PYTHON) -m benchmarks.quality.floors $(ARGS)

bench: setup ## speed, against named peers
	$(PYTHON) -m benchmarks $(ARGS)

sanitize: ## 20,000 mutated pages through the modules with sanitizers, half an hour (ARGS="--pages 200" for fewer)
	$(SETUP) packages
	$(PYTHON) -m benchmarks.fuzz $(ARGS)

wheel: ## a wheel with the compiled modules, into dist/; tries it in an environment of its own
	$(SETUP) packages
	rm -rf build/lib build/lib.* build/bdist.* dist
	PARCELS_COMPILE=yes $(PYTHON) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	PARCELS_WHEEL=$$(echo dist/*.whl) $(PYTHON) -m pytest -q tests/set_up/test_wheel.py
	@ls dist/*.whl

docs: ## write docs/schema.md and docs/reference-*.md from the code
	$(SETUP) packages
	.venv/bin/parcels schema --format markdown > docs/schema.md
	@for page in commands settings labels features; do \
	  .venv/bin/parcels reference $$page > docs/reference-$$page.md; done
	@git diff --stat -- docs 2> /dev/null || true

setup: ## .venv and what the machine lacks: Java, Redis, Chromium
	$(SETUP)

clean: ## remove .venv and what the tools leave behind
	find parcels -name '*.so' -delete
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
