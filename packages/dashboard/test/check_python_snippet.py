"""Checks snippet.py, the code that the dashboard shows, with the shared vectors: python3 check.py signature-vectors.json"""

import base64
import json
import sys

import snippet

vectors = json.load(open(sys.argv[1], encoding="utf-8"))
wrong = []
for vector in vectors["verify"]:
    options = {**vectors["defaults"], **vector}
    # the snippet always allows five minutes
    if options["toleranceSeconds"] != 300:
        continue
    lines = vector.get("headers")
    if lines is None:
        lines = [base64.b64decode(line).decode("latin-1") for line in vector["headersBase64"]]
    snippet.SECRETS = options["secrets"]
    snippet.time.time = lambda: options["now"]
    try:
        snippet.verify(base64.b64decode(vector["bodyBase64"]), ", ".join(lines))
        result = "ok"
    except ValueError:
        result = "reject"
    if result != vector["expect"]["result"]:
        wrong.append(vector["id"])
print("wrong:", wrong)
sys.exit(1 if wrong else 0)
