"""The annotator's web application: its routes, and the conversion of requests and errors."""

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

from parcels.annotate import api
from parcels.annotate.annotators import annotator_name
from parcels.annotate.guard import FRAME_POLICY
from parcels.annotate.page_list import PageFilter
from parcels.annotate.sanitize import error_html
from parcels.annotate.session import AnnotationSession
from parcels.errors import ConfigError, ParcelsError, SkipRecord

PAGE_ID = re.compile(r"[0-9a-f]{32}")
STATIC_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}\.(js|css|svg)")
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}
MAX_QUERY_CHARS = 200
HANDLED_ERRORS = (KeyError, ParcelsError, OSError)
Handler = Callable[[Request], Awaitable[Response]]


def make_app(session: AnnotationSession, *, csrf: Callable[[], str]) -> Starlette:
    """Return the application of a session; `csrf` returns the token that a change must carry."""
    routes = _Routes(session, csrf)
    return Starlette(routes=[
        Route("/", routes.home),
        Route("/static/{name}", routes.static),
        Route("/frame/{page}", routes.frame),
        Route("/api/session", routes.json(api.describe_session)),
        Route("/api/project", routes.json(api.project)),
        Route("/api/pages", routes.json(api.pages)),
        Route("/api/next", routes.json(api.next_page)),
        Route("/api/queue", routes.json(api.queue)),
        Route("/api/agreement", routes.json(api.agreed)),
        Route("/api/curve", routes.json(api.curve)),
        Route("/api/film", routes.json(api.film)),
        Route("/api/page/{page}", routes.json(api.page)),
        Route("/api/page/{page}/own", routes.json(api.own)),
        Route("/api/page/{page}/film", routes.json(api.page_film)),
        Route("/api/page/{page}/why/{n:int}", routes.json(api.why)),
        Route("/api/page/{page}/labels", routes.save, methods=["POST"]),
        Route("/api/seal", routes.seal, methods=["POST"]),
        Route("/export/{what}", routes.export),
    ])  # fmt: skip


class _Routes:
    """Request handlers; slow work runs in a thread pool."""

    def __init__(self, session: AnnotationSession, csrf: Callable[[], str]):
        self.session, self.csrf = session, csrf

    async def home(self, request: Request) -> Response:
        text = _file("index.html").replace("{{token}}", self.csrf())
        return Response(text, media_type="text/html")

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not STATIC_NAME.fullmatch(name):
            return _problem(404, "File not found.")
        try:
            text = await run_in_threadpool(_file, name)
        except FileNotFoundError:
            return _problem(404, "File not found.")
        return Response(text, media_type=TYPES[name.rpartition(".")[2]])

    async def frame(self, request: Request) -> Response:
        try:
            page = _page_id(request)
            text = await run_in_threadpool(lambda: self.session.open(page).html)
        except HANDLED_ERRORS as error:
            status, message = _status(error)
            return Response(error_html(message), status, {"Content-Security-Policy": FRAME_POLICY}, "text/html")
        return Response(text.encode("utf-8", "replace"), 200, {"Content-Security-Policy": FRAME_POLICY}, "text/html")

    def json(self, respond: Callable[[AnnotationSession, api.Parameters], Any]) -> Handler:
        """Return a handler that sends the result of `respond` as JSON."""

        async def handler(request: Request) -> Response:
            try:
                parameters = _parameters(request)
                response = await run_in_threadpool(respond, self.session, parameters)
            except HANDLED_ERRORS as error:
                return _problem(*_status(error))
            if respond is api.describe_session:
                response = {**response, "token": self.csrf()}
            return _json(response)

        return handler

    async def save(self, request: Request) -> Response:
        try:
            page = _page_id(request)
            body = _object(await request.body())
            response = await run_in_threadpool(api.save, self.session, page, body)
        except HANDLED_ERRORS as error:
            return _problem(*_status(error))
        return _json(response)

    async def seal(self, request: Request) -> Response:
        try:
            count = await run_in_threadpool(self.session.seal)
        except HANDLED_ERRORS as error:
            return _problem(*_status(error))
        return _json({"sealed": count})

    async def export(self, request: Request) -> Response:
        try:
            name, text = await run_in_threadpool(api.export, self.session, request.path_params["what"])
        except HANDLED_ERRORS as error:
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


def _parameters(request: Request) -> api.Parameters:
    annotator = request.query_params.get("annotator", "")
    after = request.query_params.get("after", "")
    return api.Parameters(
        annotator=annotator_name(annotator) if annotator else "",
        page=_page_id(request) if "page" in request.path_params else "",
        n=int(request.path_params.get("n", 0)),
        after=after if PAGE_ID.fullmatch(after) else "",
        model=request.query_params.get("model", "")[:MAX_QUERY_CHARS],
        is_back="back" in request.query_params,
        filter=_filter(request),
    )


def _filter(request: Request) -> PageFilter:
    words, host, state, page_type, offset = (
        request.query_params.get(name, "")[:MAX_QUERY_CHARS] for name in ("words", "host", "state", "type", "offset")
    )
    is_uncertain = "uncertain" in request.query_params
    return PageFilter(words, host, state, page_type, is_uncertain, int(offset) if offset.isdecimal() else 0)


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ConfigError(f"The body of the request is not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise ConfigError("The body of the request must be a JSON object.")
    return value


def _status(error: Exception) -> tuple[int, str]:
    if isinstance(error, KeyError):
        return 404, "This page is not in the session."
    if isinstance(error, SkipRecord):
        return 422, f"This page cannot be shown: {error}"
    if isinstance(error, OSError):
        return 503, f"The store cannot be reached: {error}. Unsaved labels are kept in this browser until it is back."
    return (400 if isinstance(error, ConfigError) else 503), str(error)


def _json(value: Any, status: int = 200) -> Response:
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY
    return Response(orjson.dumps(value, option=options), status, media_type="application/json")


def _problem(status: int, message: str) -> Response:
    return _json({"error": message}, status)
