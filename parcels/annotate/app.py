"""The web app: a few addresses that give JSON, the frame with the page, and one that saves labels."""

import re
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from parcels.annotate import answers
from parcels.annotate.clean import error_html
from parcels.annotate.desk import Desk
from parcels.annotate.guard import FRAME_POLICY
from parcels.annotate.page_list import Wanted
from parcels.annotate.people import annotator_name
from parcels.errors import ConfigError, ParcelsError, SkipRecord

PAGE_ID = re.compile(r"[0-9a-f]{32}")
STATIC_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}\.(js|css|svg)")
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}
MOST_WORDS = 200  # characters of what somebody searches for
TROUBLE = (KeyError, ParcelsError, OSError)
Handler = Callable[[Request], Awaitable[Response]]


def make_app(desk: Desk, *, csrf: Callable[[], str]) -> Starlette:
    """The app around a desk; `csrf` gives the token that a change must carry."""
    routes = _Routes(desk, csrf)
    return Starlette(routes=[
        Route("/", routes.home),
        Route("/static/{name}", routes.static),
        Route("/frame/{page}", routes.frame),
        Route("/api/session", routes.answer(answers.session)),
        Route("/api/project", routes.answer(answers.project)),
        Route("/api/pages", routes.answer(answers.pages)),
        Route("/api/next", routes.answer(answers.next_page)),
        Route("/api/queue", routes.answer(answers.queue)),
        Route("/api/agreement", routes.answer(answers.agreed)),
        Route("/api/curve", routes.answer(answers.curve)),
        Route("/api/film", routes.answer(answers.film)),
        Route("/api/page/{page}", routes.answer(answers.page)),
        Route("/api/page/{page}/own", routes.answer(answers.own)),
        Route("/api/page/{page}/film", routes.answer(answers.page_film)),
        Route("/api/page/{page}/why/{n:int}", routes.answer(answers.why)),
        Route("/api/page/{page}/labels", routes.save, methods=["POST"]),
        Route("/api/seal", routes.seal, methods=["POST"]),
        Route("/export/{what}", routes.export),
    ])  # fmt: skip


class _Routes:
    """The handlers; what takes time happens in a thread."""

    def __init__(self, desk: Desk, csrf: Callable[[], str]):
        self.desk, self.csrf = desk, csrf

    async def home(self, request: Request) -> Response:
        text = _file("index.html").replace("{{token}}", self.csrf())
        return Response(text, media_type="text/html")

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not STATIC_NAME.fullmatch(name):
            return _problem(404, "there is no such file")
        try:
            text = await run_in_threadpool(_file, name)
        except FileNotFoundError:
            return _problem(404, "there is no such file")
        return Response(text, media_type=TYPES[name.rpartition(".")[2]])

    async def frame(self, request: Request) -> Response:
        try:
            page = _page_id(request)
            text = await run_in_threadpool(lambda: self.desk.open(page).html)
        except TROUBLE as error:
            status, message = _status(error)
            return Response(error_html(message), status, {"Content-Security-Policy": FRAME_POLICY}, "text/html")
        return Response(text.encode("utf-8", "replace"), 200, {"Content-Security-Policy": FRAME_POLICY}, "text/html")

    def answer(self, make: Callable[[Desk, answers.Asked], Any]) -> Handler:
        """A handler that gives what a function makes as JSON."""

        async def handler(request: Request) -> Response:
            try:
                asked = _asked(request)
                found = await run_in_threadpool(make, self.desk, asked)
            except TROUBLE as error:
                return _problem(*_status(error))
            if make is answers.session:
                found = {**found, "token": self.csrf()}
            return _json(found)

        return handler

    async def save(self, request: Request) -> Response:
        try:
            page = _page_id(request)
            sent = _object(await request.body())
            found = await run_in_threadpool(answers.save, self.desk, page, sent)
        except TROUBLE as error:
            return _problem(*_status(error))
        return _json(found)

    async def seal(self, request: Request) -> Response:
        try:
            count = await run_in_threadpool(self.desk.seal)
        except TROUBLE as error:
            return _problem(*_status(error))
        return _json({"sealed": count})

    async def export(self, request: Request) -> Response:
        try:
            name, text = await run_in_threadpool(answers.export, self.desk, request.path_params["what"])
        except TROUBLE as error:
            return _problem(*_status(error))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, 200, headers, "application/json")


def _file(name: str) -> str:
    return (resources.files("parcels.annotate") / "static" / name).read_text("utf-8")


def _page_id(request: Request) -> str:
    page = str(request.path_params["page"])
    if not PAGE_ID.fullmatch(page):
        raise KeyError(page)
    return page


def _asked(request: Request) -> answers.Asked:
    annotator = request.query_params.get("annotator", "")
    after = request.query_params.get("after", "")
    return answers.Asked(
        annotator=annotator_name(annotator) if annotator else "",
        page=_page_id(request) if "page" in request.path_params else "",
        n=int(request.path_params.get("n", 0)),
        after=after if PAGE_ID.fullmatch(after) else "",
        model=request.query_params.get("model", "")[:MOST_WORDS],
        is_back="back" in request.query_params,
        wanted=_wanted(request),
    )


def _wanted(request: Request) -> Wanted:
    words, host, state, page_type, offset = (
        request.query_params.get(name, "")[:MOST_WORDS] for name in ("words", "host", "state", "type", "offset")
    )
    is_uncertain = "uncertain" in request.query_params
    return Wanted(words, host, state, page_type, is_uncertain, int(offset) if offset.isdecimal() else 0)


def _object(body: bytes) -> dict[str, Any]:
    try:
        sent = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ConfigError(f"this is not JSON: {error}") from error
    if not isinstance(sent, dict):
        raise ConfigError("send an object")
    return sent


def _status(error: Exception) -> tuple[int, str]:
    if isinstance(error, KeyError):
        return 404, "there is no such page here"
    if isinstance(error, SkipRecord):
        return 422, f"this page cannot be shown: {error}"
    if isinstance(error, OSError):
        return 503, f"the store cannot be reached: {error}. Labels wait in this browser until it is back."
    return (400 if isinstance(error, ConfigError) else 503), str(error)


def _json(value: Any, status: int = 200) -> Response:
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY
    return Response(orjson.dumps(value, option=options), status, media_type="application/json")


def _problem(status: int, message: str) -> Response:
    return _json({"error": message}, status)
