"""Django needs its settings before a test imports it."""

from __future__ import annotations

import django
from django.conf import settings

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    ROOT_URLCONF="frameworks",
    SECRET_KEY="not used",
)
django.setup()
