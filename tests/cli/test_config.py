"""Settings: flags win over the environment, that over parcels.toml, that over the defaults; what is wrong is told."""

import argparse
import json
import tomllib
from importlib import import_module, resources
from pathlib import Path

import pytest

from parcels.cli.main import main, parser_of
from parcels.cli.settings import APART, apply, settable
from parcels.cli.table import COMMANDS
from parcels.config import Config


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("PARCELS_CONFIG", "PARCELS_STORE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def parsed(command: str, *words: str, toml: str = "", **environ: str) -> argparse.Namespace:
    config = Config(Path("parcels.toml"), tomllib.loads(toml), environ)
    parser = parser_of(command, import_module(COMMANDS[command].module))
    apply(parser, command, config)
    return parser.parse_args(words)


CRAWL = '[all]\nstore = "s"\n[crawl]\nseeds = ["a.txt", "b.txt"]\ndelay = 2\nno_css = true\nuser-agent = "me"\n'


def test_the_file_gives_what_flags_do_not():
    args = parsed("crawl", toml=CRAWL)
    assert (args.store, args.seeds, args.delay, args.no_css) == ("s", ["a.txt", "b.txt"], 2.0, True)
    assert args.timeout == 60.0


def test_the_environment_wins_over_the_file_and_flags_over_both():
    environ = {"PARCELS_CRAWL_DELAY": "3", "PARCELS_STORE": "t", "PARCELS_CRAWL_NO_CSS": "false"}
    args = parsed("crawl", toml=CRAWL, **environ)
    assert (args.store, args.delay, args.no_css) == ("t", 3.0, False)
    args = parsed("crawl", "c.txt", "--delay", "4", "--store", "u", toml=CRAWL, **environ)
    assert (args.store, args.seeds, args.delay) == ("u", ["c.txt"], 4.0)


def test_what_a_command_must_be_told_may_come_from_the_file(folder):
    args = parsed("run", toml='[all]\nstore = "s"\n[run]\njob = "divide"\nconf = ["a=b"]\n')
    assert (args.job, args.store, args.conf) == ("divide", "s", ["a=b"])
    assert parsed("annotate", toml='[all]\nstore = "s"\n[annotate]\nport = 9\n').port == 9
    assert parsed("blocks", toml='[blocks]\npages = ["p.html"]\n').pages == ["p.html"]


@pytest.mark.parametrize(
    "toml, message",
    [
        ("[crawl]\ndilay = 2", "Did you mean 'delay'?"),
        ("[crwl]\ndelay = 2", "Did you mean 'crawl'?"),
        ('[all]\nstor = "x"', "Did you mean 'store'?"),
        ("delay = 2", "outside every section"),
        ('store = "x"', "Move it below [all]"),
        ('[crawl]\ndelay = "soon"', "delay must be a number of seconds, at least 0, got soon"),
        ("[crawl]\nlimit = 0", "limit must be a whole number, at least 1, got 0"),
        ("[crawl]\nlimit = true", "limit must be a whole number, at least 1, got True"),
        ("[crawl]\nlimit = [1]", "must be a single value"),
        ("[crawl]\nno-css = 1", "must be true or false"),
        ("[crawl]\nproxy = 3", "must be a string in quotation marks"),
        ('[crawl]\nspider = "newz"', "Did you mean 'news'?"),
        ("[crawl", "is not valid TOML"),
    ],
)
def test_a_wrong_file_is_told_with_its_place_and_what_to_do(folder, toml, message, capsys):
    (folder / "parcels.toml").write_text(toml)
    assert main(["crawl", "--store", "x"]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "parcels.toml" in said
    assert not (folder / "x").exists()


def test_a_file_that_is_not_there_or_not_text_is_told(folder, capsys):
    assert main(["crawl", "--config", "none.toml"]) == 3
    (folder / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    assert main(["crawl", "--config=bytes.toml"]) == 2
    (folder / "long.toml").write_text("#" * (1 << 21))
    assert main(["crawl", "--config", "long.toml"]) == 2
    said = capsys.readouterr().err
    assert "none.toml" in said
    assert "bytes.toml is not valid TOML" in said
    assert "not a settings file" in said


def test_another_file_or_none_may_be_named(folder, monkeypatch, capsys):
    (folder / "parcels.toml").write_text("[crawl]\nwrong = 1")
    (folder / "other.toml").write_text('[all]\nstore = "elsewhere"')
    assert main(["query", "SELECT 1", "--config", "other.toml"]) == 3
    assert "No store at elsewhere" in capsys.readouterr().err
    monkeypatch.setenv("PARCELS_CONFIG", "none")
    assert main(["query", "SELECT 1"]) == 2
    assert "--store" in capsys.readouterr().err


def test_show_tells_where_each_value_came_from(folder, monkeypatch, capsys):
    (folder / "parcels.toml").write_text(CRAWL + '[annotate]\ntoken = "secret"\n')
    monkeypatch.setenv("PARCELS_CRAWL_TIMEOUT", "30")
    monkeypatch.setenv("PARCELS_FRONTIER", "redis://me:secret@127.0.0.1/0")
    assert main(["config", "show", "crawl", "--limit", "5"]) == 0
    said = capsys.readouterr().out
    rows = {line.split()[0]: line.split()[1:] for line in said.splitlines()}
    assert rows["delay"] == ["2.0", "parcels.toml", "[crawl]"]
    assert rows["store"] == ["s", "parcels.toml", "[all]"]
    assert rows["timeout"] == ["30.0", "environment", "PARCELS_CRAWL_TIMEOUT"]
    assert rows["limit"] == ["5", "flag"]
    assert rows["depth"] == ["-", "default"]
    assert main(["config", "show"]) == 0
    said += capsys.readouterr().out
    assert "secret" not in said
    assert said.count("[all] store") == 1


def test_show_names_the_nearest_command(folder, capsys):
    assert main(["config", "show", "crwl"]) == 2
    assert "Did you mean 'crawl'?" in capsys.readouterr().err


def test_init_writes_a_project_whose_settings_are_all_known(folder, capsys):
    assert main(["init", "news", "mine"]) == 0
    assert sorted(path.name for path in (folder / "mine").iterdir()) == [
        "README.md", "page.html", "parcels.toml", "seeds.txt",
    ]  # fmt: skip
    config = Config.open(str(folder / "mine" / "parcels.toml"), {})
    config.check_sections(COMMANDS)
    for command in set(config.sections) - {"all"}:
        parser = parser_of(command, import_module(COMMANDS[command].module))
        assert apply(parser, command, config)
    assert main(["init", "news", "mine"]) == 2
    assert "files are not overwritten" in capsys.readouterr().err
    assert main(["init", "newz"]) == 2
    assert "Did you mean 'news'?" in capsys.readouterr().err


def test_what_the_starter_explains_but_does_not_set_is_known_too():
    text = (resources.files("parcels") / "starters" / "news" / "parcels.toml").read_text()
    section = ""
    checked = 0
    for line in text.splitlines():
        if line.startswith("["):
            section = line[1 : line.index("]")]
        elif line.startswith("# ") and " = " in line.split("#")[1] and section in COMMANDS:
            key = line[2:].split(" = ")[0]
            assert key in settable(parser_of(section, import_module(COMMANDS[section].module))), line
            checked += 1
    assert checked >= 6


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in APART])
def test_no_two_flags_of_a_command_share_a_key(command):
    parser = parser_of(command, import_module(COMMANDS[command].module))
    flags = [action for action in parser._actions if action.dest not in ("help", "config")]
    assert len(settable(parser)) == len(flags)


def test_json_log_is_one_object_a_line_from_start_to_end(folder, capsys):
    (folder / "page.html").write_text("<p>One")
    assert main(["import", "html", "page.html", "nowhere.html", "--store", "s", "--log", "json"]) in (0, 3)
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [events[0]["event"], events[-1]["event"]] == ["start", "end"]
    assert events[0]["settings"]["store"] == {"value": "s", "source": "flag"}
    assert all(event["command"] == "import" and event["at"].endswith("+00:00") for event in events)


def test_json_log_tells_the_runs_that_were_written(folder, capsys):
    (folder / "page.html").write_text("<p>One")
    assert main(["import", "html", "page.html", "--store", "s", "--log", "json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    [run] = [event for event in events if event["event"] == "run"]
    assert (run["step"], run["outcome"], run["counts"]["pages"]) == ("import-html", "done", 1)
    assert events[-1]["exit_code"] == 0


def test_an_error_is_an_event_too(folder, capsys):
    assert main(["query", "SELECT 1", "--store", "none", "--log", "json"]) == 3
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [event["event"] for event in events] == ["start", "message", "end"]
    assert "No store" in events[1]["text"]
