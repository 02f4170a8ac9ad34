# Everything lives in .venv; a second call needs no network.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run serve quick test storm lint bench hall

run: .venv/.app
	$(BIN)/python -m engine
	$(BIN)/streamlit run Home.py

# One process a core behind nginx (apt install nginx-light), on port 8080: see .deploy/README.md.
serve: .venv/.app
	$(BIN)/python .deploy/serve.py

# Engine and ui with their examples, without opening a page: under a minute.
quick: .venv/.tests
	$(BIN)/python -m pytest -m "not page"

test: .venv/.tests
	$(BIN)/python -m pytest -n 2 -m "not browser"
	$(BIN)/python -m pytest -m browser

# Every page through a storm of random steps, then the browser: a fresh seed, printed first, or STORM_SEED=… once more.
# STORM=200 is so many visits to each page, STORM=30m half an hour for all; the browser has a few minutes of its own.
# Last the engine: twenty times as many drawn calls of every function.
STORM ?= 50
ifndef STORM_SEED
STORM_SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif
STORMS := $(addprefix tests/test_,storm.py pages.py formulas.py legal_models.py questions.py browser_faults.py browser_storm.py browser.py browser_access.py browser_ask.py browser_presses.py browser_stage.py browser_keys.py browser_firefox.py browser_live.py browser_hands.py browser_player.py browser_widths.py)
storm: .venv/.tests
	@echo "STORM=$(STORM) STORM_SEED=$(STORM_SEED)"
	@STORM=$(STORM) STORM_SEED=$(STORM_SEED) $(BIN)/python -m pytest $(STORMS)
	@STORM=20 $(BIN)/python -m pytest tests/test_properties.py

lint: .venv/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/.tests
	$(BIN)/python tests/bench.py
	$(BIN)/python tests/bench.py --limits
	$(BIN)/python tests/bench_training.py

# A lecture hall of 100 on one process, on two behind nginx, and on a bare app.
hall: .venv/.tests
	$(BIN)/python tests/bench.py --hall --moves 10

.venv/.app: requirements.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/.tests: tests/requirements.txt .venv/.app
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@
