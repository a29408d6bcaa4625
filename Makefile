# `make play` and `make test` are all that a fresh machine needs: they install what they use.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# The lock files name everything, so nothing is resolved: a resolver may ask for a newer release than they do.
LOCKED := $(PIP) install --no-deps -r
NPM := $(BIN)/python -m scripts.npm
STATIC := src/roundel/web/static/index.html
PAGE := $(shell find page -name node_modules -prune -o -type f -print)
WHEEL := build/wheel
SUDO := $(if $(filter-out 0,$(shell id -u)),sudo)
PYTEST := $(BIN)/python -m pytest -n 2
COVERED := $(PYTEST) --cov --cov-report= --cov-fail-under=0
# Lines that only run compiled are reached by these; to count lines everywhere would take as long again.
COMPILING := tests/test_digest.py tests/test_jit.py tests/test_bits.py

.PHONY: play page test install lock bench soak golden messages docs tune strength levels chromium screenshots

play: .venv/warm page
	@$(BIN)/roundel serve --open

# The rules and the computer, compiled for this machine: two minutes, once.
.venv/warm: .venv/installed $(shell find src -name '*.py')
	@$(BIN)/roundel warmup
	@touch $@

install: .venv/installed

.venv/bin/python:
	$(PYTHON) -m venv .venv || \
		($(SUDO) sh -c 'apt-get update && apt-get install -y python3-venv' && $(PYTHON) -m venv .venv)

.venv/installed: .venv/bin/python requirements.txt pyproject.toml
	$(LOCKED) requirements.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt
	$(LOCKED) requirements-dev.txt
	@touch $@

# What the browser gets; a wheel already contains it.
page: $(STATIC)

$(STATIC): page/node_modules/.package-lock.json $(PAGE)
	$(NPM) run build

# Not `npm ci`: it wants the binaries of all platforms in the lock file, which not every registry has.
page/node_modules/.package-lock.json: page/package-lock.json | .venv/installed
	$(NPM) install --no-save
	@touch $@

# First what needs no compiled code, while that is compiled on the other core. Then the suite twice, compiled
# and as plain Python; together they must reach every line of the rules. Playwright keeps an event loop
# running in its thread: tests of the browser have processes of their own.
test: .venv/installed-dev page $(WHEEL)/installed chromium
	$(BIN)/roundel warmup & warming=$$!; trap "kill $$warming" EXIT; set -e; \
	$(PIP) check; $(BIN)/ruff check; $(BIN)/ruff format --check; $(BIN)/mypy; $(BIN)/lint-imports; \
	$(BIN)/python -m scripts.locks; \
	$(NPM) run check; $(NPM) test; \
	wait $$warming; trap - EXIT
	$(BIN)/coverage erase
	$(PYTEST) --ignore=tests/browser $(COMPILING:%=--ignore=%)
	COVERAGE_FILE=.coverage.compiled $(COVERED) $(COMPILING)
	COVERAGE_FILE=.coverage.plain NUMBA_DISABLE_JIT=1 $(COVERED) --ignore=tests/browser
	$(PYTEST) tests/browser
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	$(MAKE) docs

# What people install, in a separate environment: the wheel, built from the sdist.
$(WHEEL)/installed: .venv/installed-dev $(STATIC) scripts/build_hook.py $(shell find src -not -path '*/__pycache__*' -not -path '*/static*')
	rm -rf $(WHEEL)
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --out-dir $(WHEEL)
	$(BIN)/uv venv --quiet --python $(BIN)/python $(WHEEL)/venv
	$(BIN)/uv pip install --quiet --python $(WHEEL)/venv --constraint requirements.txt $(WHEEL)/*.whl
	@touch $@

# A real browser for the tests of the page: Debian's, as Playwright's own download may be out of reach.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
		$(SUDO) sh -c 'apt-get update && apt-get install -y chromium' || \
		(echo "the tests of the page need a browser: install the package chromium" && false)

# Every page, light and dark, phone and desktop, English and French, into build/screenshots.
screenshots: .venv/installed-dev page chromium
	$(BIN)/python -m scripts.screenshots

# The site, into build/site; warnings and links that lead nowhere are errors.
docs: .venv/installed-dev
	$(BIN)/python -m scripts.docs

# The large counts, 2,000 matches per option set against the naive rules, a server under load,
# killed 200 times, stopped 200 times, under 1,000 faults and under attack; can be interrupted.
soak: .venv/installed-dev page
	$(BIN)/python -m pytest -n 2 -m soak
	$(BIN)/python -m scripts.soak
	$(BIN)/python -m scripts.table_soak
	$(BIN)/python -m scripts.faults
	$(BIN)/python -m scripts.starts_and_stops
	$(BIN)/python -m scripts.attacks

bench: .venv/installed-dev page chromium
	$(BIN)/python -m bench
	$(BIN)/python -m bench.page
	$(BIN)/python -m bench.server

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
	$(BIN)/python -m scripts.locks --write
