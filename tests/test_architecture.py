"""The rooms, and who may enter which: parsed from the sources, so that a wrong import fails here first."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ui import catalogue

ROOT = Path(__file__).parent.parent
SOURCES = sorted(p for folder in ("engine", "ui", "pages", "tests") for p in (ROOT / folder).rglob("*.py"))
MAY_IMPORT = {  # room: what it may import besides the standard library
    "engine": {"engine", "numpy"},
    "ui": {"ui", "numpy", "pandas", "plotly", "streamlit"},
    "pages": {"engine", "ui", "numpy", "streamlit"},
}


def room(source: Path) -> str:
    return source.relative_to(ROOT).parts[0]


def imported(source: Path) -> set[str]:
    """The top-level names of everything a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source} imports relatively"
            found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "source", [p for p in SOURCES if room(p) in MAY_IMPORT], ids=lambda p: str(p.relative_to(ROOT))
)
def test_every_room_imports_only_what_it_may(source):
    assert imported(source) <= MAY_IMPORT[room(source)]


FLOORS = [  # of ui: a room may only enter rooms on floors before its own
    {"pace", "sending"},
    {"catalogue", "formulas", "glossary", "server", "snippets", "words"},
    {"seen"},
    {"run"},
    {"charts", "page"},
    {"labs"},
    {"questions"},
    {"app"},
]


def test_arrows_in_ui_lead_down_and_make_no_circle():
    floor = {name: i for i, names in enumerate(FLOORS) for name in names}
    rooms = {p: p.relative_to(ROOT / "ui").parts[0].removesuffix(".py") for p in (ROOT / "ui").rglob("*.py")}
    assert set(rooms.values()) - {"__init__"} == set(floor)
    for path, name in rooms.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "ui":
                entered = {f"{node.module}.{alias.name}".split(".")[1] for alias in node.names} - {name}
                assert all(floor[other] < floor[name] for other in entered), f"{path} enters {entered}"


def test_a_labs_room_belongs_to_a_lab():
    slugs = {lab.slug for lab in catalogue.LABS}
    assert {p.stem for p in (ROOT / "ui/labs").iterdir() if p.name[0] != "_"} <= slugs
    programs = {p.stem for p in (ROOT / "ui/snippets").glob("*.py")} - {"__init__", "shared"}
    assert all(any(name == slug or name.startswith(f"{slug}_") for slug in slugs) for name in programs)


def test_pages_never_import_pages_nor_what_serves_them():
    for page in (ROOT / "pages").glob("*.py"):
        text = page.read_text("utf-8")
        assert not re.search(r"^(from|import) (pages|ui\.app|ui\.server)", text, re.M), page


def test_home_is_one_call():
    assert imported(ROOT / "Home.py") == {"pages", "ui"}
    assert len(ast.parse((ROOT / "Home.py").read_text("utf-8")).body) == 4


def test_no_file_is_longer_than_300_lines():
    texts = [
        p for p in ROOT.rglob("*") if p.suffix in {".py", ".js", ".css", ".toml", ".md"} and ".venv" not in p.parts
    ]
    assert not {str(p): n for p in texts if (n := len(p.read_text("utf-8").splitlines())) > 300}
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 100


def test_the_catalogue_is_the_directory():
    assert {p.stem for p in (ROOT / "pages").glob("*.py")} == {lab.slug for lab in catalogue.shown()}
    assert len({lab.slug for lab in catalogue.LABS}) == len(catalogue.LABS) == 26
    assert len({lab.title for lab in catalogue.LABS}) == 26


@pytest.mark.parametrize("page", sorted((ROOT / "pages").glob("*.py")), ids=lambda p: p.stem)
def test_a_page_reads_top_to_bottom(page):
    tree = ast.parse(page.read_text("utf-8"))
    assert ast.get_docstring(tree, clean=True).endswith("?"), "a page opens with the question it answers"
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    calls = [
        ast.unparse(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    assert calls.count("lab.begin") == 1
    for part in (
        "lab.panel",
        "charts.show",
        "lab.notice",
        "lab.conventions",
        "lab.take_away",
        "lab.source",
    ):
        assert part in calls, f"{page.stem} has no {part}"


@pytest.mark.parametrize(
    "source", [p for p in SOURCES if room(p) in ("ui", "pages")], ids=lambda p: str(p.relative_to(ROOT))
)
def test_nothing_slow_or_unsafe_on_the_way_to_the_screen(source):
    text = source.read_text("utf-8")
    for word in (
        "unsafe_allow_html",
        "data_editor",
        "make_subplots",
        "plotly.express",
        "cache_data",
        "st.write(",
        "pickle",
    ):
        assert word not in text, word


def test_pandas_is_imported_where_a_file_is_asked_for_and_nowhere_else():
    users = {
        p: p.read_text("utf-8") for p in SOURCES if room(p) in ("ui", "pages") and "pandas" in p.read_text("utf-8")
    }
    assert [p.name for p in users] == ["export.py"]
    code = "import sys, ui.app.frame, ui.page.export; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_every_ui_module_has_its_tests():
    tests = {p.stem.removeprefix("test_") for p in (ROOT / "tests").glob("test_*.py")}
    modules = {p.stem for p in (ROOT / "ui").glob("*.py")} - {"__init__"}
    assert not modules - tests


def test_dependencies_are_pinned_with_a_reason():
    for name in ("requirements.txt", "tests/requirements.txt"):
        for line in (ROOT / name).read_text("utf-8").splitlines():
            assert re.fullmatch(r"[a-z-]+==[\d.]+ +# \S.*", line) or line == "-r ../requirements.txt", line
    assert re.findall(r"^([a-z]+)==", (ROOT / "requirements.txt").read_text("utf-8"), re.M) == [
        "streamlit",
        "numpy",
        "pandas",
        "plotly",
        "pytest",
    ]


def test_the_server_is_set_up_for_a_public_lecture():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))
    assert config["runner"] == {"postScriptGC": False, "magicEnabled": False}
    assert config["client"] == {"showErrorDetails": "none", "showErrorLinks": False, "toolbarMode": "viewer"}
    assert config["browser"]["gatherUsageStats"] is False
    assert (config["server"]["maxUploadSize"], config["server"]["maxMessageSize"]) == (1, 20)
    assert config["global"]["minCachedMessageSize"] >= 10**9


def test_no_word_about_places_this_was_not_made_for():
    for path in [
        p
        for p in ROOT.rglob("*")
        if p.suffix in {".py", ".js", ".md", ".toml", ".txt", ".css"} and ".venv" not in p.parts
    ]:
        if path != Path(__file__):
            assert not re.search(r"/work/|/tmp/|/root/|TODO|FIXME", path.read_text("utf-8")), path
