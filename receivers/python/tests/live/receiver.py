"""A receiver whose settings change while it runs: it reads them from the file in RECEIVER_SETTINGS for each request.

{"secrets": ["whsec_…"], "clockOffsetSeconds": 0, "database": "/path", "log": "/path"}; ADAPTER names the adapter.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from posthorn_receiver import DatabaseStore, Event, Verifier, WebhookError

Webhook = Callable[..., Callable[[Callable[..., Any]], Callable[..., Any]]]


class Settings:
    """The settings at this moment."""

    def __init__(self) -> None:
        self._all: dict[str, Any] = json.loads(Path(os.environ["RECEIVER_SETTINGS"]).read_text("utf-8"))

    def decorate(self, webhook: Webhook) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        with closing(self._connect()) as connection:
            connection.execute(DatabaseStore.create_table())
        verifier = Verifier(self._all["secrets"], now=lambda: time.time() + self._all["clockOffsetSeconds"])
        return webhook(verifier, DatabaseStore(self._connect), on_error=self._refused)

    def process(self, event: Event) -> None:
        self._write(f"processed {event.id}")

    def _refused(self, error: WebhookError) -> None:
        self._write(f"refused {error.code}")

    def _write(self, line: str) -> None:
        with open(self._all["log"], "a", encoding="utf-8") as log:
            log.write(f"{line}\n")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._all["database"], timeout=30)


METHODS = ["GET", "POST"]


def serve_fastapi(port: int) -> None:
    import uvicorn
    from fastapi import FastAPI, Request, Response

    from posthorn_receiver.starlette import webhook

    app = FastAPI()

    @app.api_route("/hooks", methods=METHODS)
    async def hooks(request: Request) -> Response:
        settings = Settings()

        async def process(event: Event) -> None:
            settings.process(event)

        answer: Response = await settings.decorate(webhook)(process)(request)
        return answer

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical")


def serve_flask(port: int) -> None:
    from flask import Flask

    from posthorn_receiver.flask import webhook

    app = Flask("receiver")

    @app.route("/hooks", methods=METHODS)
    def hooks() -> Any:
        settings = Settings()
        return settings.decorate(webhook)(settings.process)()

    app.run("127.0.0.1", port, threaded=True)


def serve_django(port: int) -> None:
    from django.conf import settings as django_settings
    from django.core.servers.basehttp import run
    from django.core.wsgi import get_wsgi_application
    from django.urls import path

    from posthorn_receiver.django import webhook

    def hooks(request: Any) -> Any:
        settings = Settings()
        return settings.decorate(webhook)(lambda _, event: settings.process(event))(request)

    django_settings.configure(ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=(path("hooks", hooks),))
    run("127.0.0.1", port, get_wsgi_application(), threading=True)


{"FastAPI": serve_fastapi, "Flask": serve_flask, "Django": serve_django}[os.environ["ADAPTER"]](
    int(sys.argv[1])
)
