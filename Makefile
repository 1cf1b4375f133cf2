# Needs make and Python 3.11 to 3.14 with venv; everything else goes into .venv.
# README.md gives the plain commands for those without make.

PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(BIN)/python

# One test process more than there are cores, as tests wait for browsers and servers; nine at most.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(min(8, os.cpu_count() or 1) + 1)')
# In the order of the folders, files with a browser first and unit tests last, so that all processes end together.
PYTEST = $(PYTHON) -m pytest -n $(JOBS) --dist=loadfile --no-loadscope-reorder

# Playwright's Chromium, where the machine has none, stays inside the project.
export PLAYWRIGHT_BROWSERS_PATH ?= $(CURDIR)/.cache/browsers
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Hundreds of Pythons are started by tests: what one has compiled serves the next, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help run test quick slow soak part bench screenshots check static format lint types imports javascript node licences links vulnerabilities unit-1 unit-2 lock release docs clean

help: ## Show this
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

run: $(VENV)/.run ## Open the app on http://127.0.0.1:8501 (PORT=… for another port)
	@exec $(BIN)/comparator serve --port $(PORT) --with-parent

test: $(VENV)/.dev ## Run the tests (ARGS=… for pytest)
	@$(PYTHON) tools/chromium.py --install
	@$(PYTEST) $(ARGS)

quick: $(VENV)/.dev ## Format, lint, types, import contracts, unit tests and doctests, side by side
	@$(MAKE) --no-print-directory --output-sync --jobs 3 unit-1 unit-2 types format lint imports

slow: $(VENV)/.dev ## Run the tests that repeat others with more files, databases and browsers, or take long
	@$(PYTHON) tools/chromium.py --install
	@$(PYTEST) -m "slow and not soak" $(ARGS)

soak: $(VENV)/.dev ## Run the tests that take minutes, one after another
	@$(PYTHON) tools/chromium.py --install
	@$(PYTHON) -m pytest -m soak --timeout=900 $(ARGS)

part: $(VENV)/.dev ## Run one part of slow and soak (PART=2/16), as .ci/run does
	@$(PYTHON) tools/chromium.py --install
	@$(PYTEST) -m "slow or soak" --timeout=900 --part $(PART) $(ARGS)

bench: $(VENV)/.dev ## Measure speed against floors of the same run (ONLY=name for one), into build/bench.json
	@$(PYTHON) tools/chromium.py --install
	@$(PYTHON) -m bench $(ONLY)

docs: $(VENV)/.dev ## Build docs/ as a site into build/docs, with a reference written from the code
	@$(PYTHON) -m tools.reference
	@$(PYTHON) -m sphinx -q -W -b html docs build/docs
	@echo "build/docs/index.html"

screenshots: $(VENV)/.dev ## Take the README's screenshots and moving picture anew
	@$(PYTHON) tools/chromium.py --install
	@SCREENSHOTS=$(CURDIR)/docs/screenshots $(PYTHON) -m pytest tests/browser/journeys/test_whole_path.py -m "soak or not soak" -k "screenshot or moving"

check: $(VENV)/.dev static test ## The gate: format, lint, types, import contracts, JavaScript, licences, vulnerabilities, tests

static: format lint types imports javascript licences links vulnerabilities

format:
	@echo "Format" && $(BIN)/ruff format --check .

lint:
	@echo "Lint" && $(BIN)/ruff check .

types:
	@echo "Types" && $(BIN)/mypy

javascript: node_modules/.package-lock.json # Types and tests
	@echo "JavaScript" && npm run --silent check

node: # Also where node_modules is there: Node.js may be gone, or too old
	@node -e 'process.exit(+(parseInt(process.versions.node) < 18))' 2>/dev/null && command -v npm >/dev/null || \
		{ echo "This needs Node.js 18 or newer with npm: apt-get install nodejs npm" >&2; exit 1; }

node_modules/.package-lock.json: package-lock.json | node
	@npm ci --silent --no-audit --no-fund
	@touch $@

imports:
	@echo "Imports" && $(BIN)/lint-imports --no-logo

licences:
	@echo "Licences" && $(BIN)/pip-licenses --format=plain --packages $$(grep -o '^[a-z0-9-]*' requirements/run.txt) >/dev/null
	@echo "Wheels" && $(PYTHON) tools/wheels.py

links: # Within docs/; addresses on the web are skipped
	@echo "Links" && $(PYTHON) -m tools.reference && $(PYTHON) -m sphinx -q -W -b linkcheck -D linkcheck_ignore='https?://.*' docs build/links

vulnerabilities: # Of the locked packages, in the OSV database or its archive that COMPARATOR_OSV names
	@echo "Vulnerabilities" && $(PYTHON) tools/vulnerabilities.py requirements/run.txt requirements/dev.txt requirements/installer.txt

unit-1 unit-2: unit-%: # Two halves side by side: reporting to a controlling process would cost a third of the time
	@echo "Unit tests and doctests, half $*" && HYPOTHESIS_PROFILE=few $(PYTHON) -m pytest -q --part $*/2 tests/unit

COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-annotate --no-header pyproject.toml

# npm has an option that leaves out where packages come from, but none that leaves out who asks for money.
NO_FUNDING := const file = "package-lock.json", lock = JSON.parse(fs.readFileSync(file)); \
	for (const entry of Object.values(lock.packages)) delete entry.funding; \
	fs.writeFileSync(file, JSON.stringify(lock, null, 2) + "\n")

lock: ## Lock what pyproject.toml and package.json ask for (needs uv and npm; UPGRADE=--upgrade for newer versions)
	@mkdir -p build
	@command -v uv >/dev/null || { echo "make lock needs uv: python3 -m pip install uv" >&2; exit 1; }
	$(COMPILE) $(UPGRADE) --group build -o requirements/run.txt
	$(COMPILE) $(UPGRADE) --group dev -c requirements/run.txt -o requirements/dev.txt
	$(filter-out pyproject.toml,$(COMPILE)) --upgrade --group installer -o requirements/installer.txt
	$(COMPILE) --group build -c requirements/run.txt --format pylock.toml -o build/pylock.toml
	$(PYTHON) tools/wheels.py --write build/pylock.toml
	npm install --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts --no-audit --no-fund
	node -e '$(NO_FUNDING)'

release: $(VENV)/.dev ## Build wheel, source distribution and bill of materials into dist/, and try the wheel in a clean environment
	@$(PYTHON) -m tools.release

clean: ## Remove .venv, caches and what builds and tests left; data and settings stay
	rm -rf $(VENV) node_modules .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is newer than what it was installed from, so that a second start asks pip nothing.
$(VENV)/.run: $(VENV)/.created requirements/installer.txt requirements/run.txt pyproject.toml
	@$(PYTHON) tools/install.py requirements/run.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.created requirements/installer.txt requirements/dev.txt pyproject.toml
	@$(PYTHON) tools/install.py requirements/dev.txt
	@touch $@ $(VENV)/.run

# The newest Python that the lock covers (requirements/wheels.txt), that runs, and that can make a virtual environment. A
# name on PATH proves nothing: version managers leave names there that do not run, and distributions ship Pythons
# without ensurepip.
$(VENV)/.created:
	@found=; \
	for name in python3.14 python3.13 python3.12 python3.11 python3; do \
		$$name -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null || continue; \
		found=$$name; \
		$$name -c 'import ensurepip, venv' 2>/dev/null || continue; \
		echo "Creating $(VENV) with $$($$name --version)"; \
		$$name -m venv --clear $(VENV) && touch $@; \
		exit; \
	done; \
	if [ -n "$$found" ]; then \
		echo "$$found cannot create a virtual environment: install venv (Debian, Ubuntu: apt-get install python3-venv)." >&2; \
	else \
		echo "No Python from 3.11 to 3.14 was found: install one, with venv." >&2; \
	fi; \
	exit 1
