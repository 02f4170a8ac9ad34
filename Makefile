# Everything lives in .venv; a second call needs no network.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run quick test storm lint bench

run: .venv/.app
	$(BIN)/python -m engine
	$(BIN)/streamlit run Home.py

# Engine and ui with their examples, without opening a page: under a minute.
quick: .venv/.tests
	$(BIN)/python -m pytest -m "not page"

test: .venv/.tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup

# Every page through 200 random states: what it says and the formulas it writes; and through 200 models of one's own.
storm: .venv/.tests
	STORM=200 $(BIN)/python -m pytest tests/test_storm.py tests/test_formulas.py tests/test_legal_models.py

lint: .venv/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/.tests
	$(BIN)/python tests/bench.py
	$(BIN)/python tests/bench.py --limits

.venv/.app: requirements.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/.tests: tests/requirements.txt .venv/.app
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@
