"""Who may talk to the server: this machine, with the token, for pages that exist."""

import asyncio
import json
from http.client import HTTPConnection

import pytest
from annotate_world import PLAIN, ask, id_of, make_store, say, token_of

from parcels.annotate.guard import Guard, access_token, is_loopback
from parcels.annotate.journal import FOLDER
from parcels.annotate.page_sources import FilePageSource, StorePageSource, warm_up
from parcels.annotate.serve import running
from parcels.annotate.session import AnnotationSession
from parcels.errors import ConfigError
from parcels.inputs import RawPage

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server") / "store"
    store = make_store(folder, {"ferry": PLAIN, "deep": b"<div>" * 5000 + b"x"})
    with running(AnnotationSession(StorePageSource(store), store=store, journals=folder / FOLDER)) as found:
        yield found


@pytest.fixture
def origin(server):
    return server.url.rstrip("/")


def labels(origin, **headers):
    body = {"annotator": "ann", "step": "0123456789", "labels": [[0, "sitenav"]]}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return ask(f"{origin}/api/page/{id_of('ferry')}/labels", method="POST", body=body, headers=named)


def test_a_change_needs_the_token(origin):
    token = token_of(origin)
    assert labels(origin, **JSON)[0] == 403
    assert labels(origin, **JSON, X_Parcels_Token=token[:-1] + ("y" if token.endswith("x") else "x"))[0] == 403
    assert labels(origin, X_Parcels_Token=token, Content_Type="text/plain")[0] == 415
    assert labels(origin, **JSON, X_Parcels_Token=token, Origin="http://evil.example")[0] == 403
    assert labels(origin, **JSON, X_Parcels_Token=token, Origin=origin)[0] == 200


def test_what_is_refused_is_read_first_so_that_the_answer_arrives():
    parts, order = [b"one", b"two", b""], []

    async def receive():
        order.append("read")
        body = parts.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(parts)}

    async def send(message):
        order.append(message["type"])

    headers = [(b"host", b"127.0.0.1:80"), (b"content-length", b"6")]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    asyncio.run(Guard(None, "127.0.0.1", 80)(scope, receive, send))
    assert order == ["read"] * 3 + ["http.response.start", "http.response.body"]


def test_another_name_for_this_address_is_refused(origin):
    assert ask(f"{origin}/", headers={"Host": "evil.example"})[0] == 421
    assert ask(f"{origin}/", headers={"Host": "evil.example:80"})[0] == 421
    assert ask(f"{origin}/", headers={"Host": f"localhost:{origin.rpartition(':')[2]}"})[0] == 200


def test_every_answer_forbids_what_it_does_not_need(origin):
    for path in ("/", "/static/main.js", "/api/session", "/no-such", f"/frame/{id_of('ferry')}", "/export/votes"):
        _, headers, _ = ask(f"{origin}{path}")
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "unsafe-eval" not in headers["content-security-policy"]
    policy = ask(f"{origin}/frame/{id_of('ferry')}")[1]["content-security-policy"]
    assert policy.startswith("sandbox allow-same-origin;")
    assert "script-src" not in policy
    assert "allow-scripts" not in policy


@pytest.mark.parametrize(
    "path",
    [
        *[f"/static/{name}" for name in ("../app.py", "..%2fapp.py", "index.html", "nothing.js", "%2e%2e%2fdesk.py")],
        *[f"/frame/{name}" for name in ("xyz", "../../etc/passwd", "0" * 32)],
        *[f"/api/page/{name}" for name in ("0" * 32, "x", "A" * 32, f"{'0' * 32}/why/3")],
        "/export/secrets",
    ],
)
def test_what_does_not_exist_is_not_found(origin, path):
    status, _, text = ask(f"{origin}{path}")
    assert status in (400, 404)
    assert "Traceback" not in text


@pytest.mark.parametrize("name", ["\u202ex", "../x", "<script>", "\x00", "%00", "x" * 70])
def test_a_name_that_is_none_is_refused(origin, name):
    from urllib.parse import quote

    assert ask(f"{origin}/api/next?annotator={quote(name)}")[0] == 400


def test_a_page_that_cannot_be_read_says_why(origin):
    status, _, text = ask(f"{origin}/api/page/{id_of('deep')}")
    assert status == 422
    assert "too-deep" in json.loads(text)["error"]
    assert ask(f"{origin}/frame/{id_of('deep')}")[0] == 422


def status_of_long_body(origin, headers):
    connection = HTTPConnection(origin.partition("://")[2], timeout=60)
    connection.request("POST", f"/api/page/{id_of('ferry')}/labels", headers=headers | {"Content-Length": "3000000"})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_bad_body_is_refused_with_a_reason(origin):
    headers = {**JSON, "X-Parcels-Token": token_of(origin)}
    path = f"{origin}/api/page/{id_of('ferry')}/labels"
    for body in ([], {}, {"annotator": "ann"}, {"annotator": "ann", "step": "0123456789", "labels": [[0, "x"]]}):
        status, _, text = ask(path, method="POST", body=body, headers=headers)
        assert status == 400
        assert json.loads(text)["error"]
    assert status_of_long_body(origin, headers) == 413
    assert say(origin, "0" * 32, "ann", [(0, "ads")]) == 404


def test_why_a_block_has_its_label_is_told(origin):
    _, _, text = ask(f"{origin}/api/page/{id_of('ferry')}/why/1")
    found = json.loads(text)
    assert found["label"] == "title"
    assert found["features"]
    assert ask(f"{origin}/api/page/{id_of('ferry')}/why/99")[0] == 400


def test_a_page_of_a_file_is_looked_at_and_not_labelled():
    session = AnnotationSession(FilePageSource([RawPage("ferry", PLAIN)], model="news"))
    with running(session) as server:
        origin = server.url.rstrip("/")
        session = json.loads(ask(f"{origin}/api/session")[2])
        assert not session["saves"]
        found = json.loads(ask(f"{origin}/api/page/{session['first']}")[2])
        assert len(found["blocks"]) == 11
        assert say(origin, session["first"], "ann", [(0, "ads")]) == 400


def test_an_address_that_others_reach_needs_the_token(tmp_path):
    store = make_store(tmp_path / "store", {"ferry": PLAIN})
    with running(
        AnnotationSession(StorePageSource(store), store=store, journals=tmp_path / "j"), token="a-token-of-some-length"
    ) as server:
        origin = server.url.partition("?")[0].rstrip("/")
        assert ask(f"{origin}/")[0] == 401
        assert ask(f"{origin}/api/session")[0] == 401
        assert ask(f"{origin}/?token=another-token-of-it")[0] == 401
        status, headers, _ = ask(f"{origin}/?token=a-token-of-some-length")
        assert status == 200
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert ask(f"{origin}/api/session", headers={"Cookie": cookie.partition(";")[0]})[0] == 200


def test_a_token_is_made_up_where_others_can_come_in():
    assert access_token("127.0.0.1", None) is None
    assert len(access_token("0.0.0.0", None)) >= 24
    assert access_token("192.168.1.5", "x" * 20) == "x" * 20
    with pytest.raises(ConfigError, match="at least"):
        access_token("0.0.0.0", "short")
    assert not is_loopback("example.com")


def test_a_port_that_is_taken_is_told(server):
    with pytest.raises(ConfigError, match="Cannot listen"), running(server.session, port=server.port):
        pass


def test_the_model_is_open_before_a_page_asks_for_it_and_one_that_is_not_there_stops_nobody():
    from parcels.labels.model import model_at

    model_at.cache_clear()
    warm_up("news")
    assert model_at.cache_info().currsize == 1
    warm_up("no-such-model")  # told where a page is opened
    assert model_at.cache_info().currsize == 1
