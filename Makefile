# `make play` and `make test` are all that a fresh machine needs: they install what they use.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -n 2 --cov --cov-report= --cov-fail-under=0

.PHONY: play test install lock bench soak golden messages docs tune strength levels

play: .venv/installed
	@$(BIN)/roundel play

install: .venv/installed

.venv/bin/python:
	$(PYTHON) -m venv .venv || (apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv .venv)

.venv/installed: .venv/bin/python requirements.txt pyproject.toml
	$(PIP) install -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt
	$(PIP) install -r requirements-dev.txt
	@touch $@

# The suite twice, compiled and as plain Python; together they must reach every line of the rules.
test: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/roundel warmup
	$(BIN)/coverage erase
	COVERAGE_FILE=.coverage.compiled $(PYTEST)
	COVERAGE_FILE=.coverage.plain NUMBA_DISABLE_JIT=1 $(PYTEST)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	$(MAKE) docs

# The site, into build/site; warnings and links that lead nowhere are errors.
docs: .venv/installed-dev
	$(BIN)/python -m scripts.docs

# The large counts and 2,000 matches per option set against the naive rules; can be interrupted.
soak: .venv/installed-dev
	$(BIN)/python -m scripts.soak

bench: .venv/installed-dev
	$(BIN)/python -m bench

# What features of positions weigh: matches of the search against itself, then `weights.txt` of every game.
tune: .venv/installed-dev
	$(BIN)/python -m scripts.tune

# How strong the computer is, as tables with error bars; takes many hours, can be interrupted.
strength: .venv/installed-dev
	$(BIN)/python -m scripts.strength

# How strong each level is: `levels.json` of every game; takes hours, can be interrupted.
levels: .venv/installed-dev
	$(BIN)/python -m scripts.levels

# Write the golden files anew; look at the difference before you commit it.
golden: .venv/installed-dev
	$(BIN)/python -m scripts.golden

# Texts that are new in the code go to the catalogues; then translate them there and run this again.
messages: .venv/installed-dev
	$(BIN)/python -m scripts.messages

# Lock every dependency for all supported versions of Python.
lock: .venv/installed-dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group build --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group build --group dev --output-file requirements-dev.txt
