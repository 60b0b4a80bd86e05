"""Holds verify.py against the shared vectors: python3 check_vectors.py signature-vectors.json"""

import base64
import json
import sys

from verify import verify

vectors = json.load(open(sys.argv[1], encoding="utf-8"))
wrong = []
for vector in vectors["verify"]:
    options = {**vectors["defaults"], **vector}
    lines = vector.get("headers")
    if lines is None:
        lines = [base64.b64decode(line).decode("latin-1") for line in vector["headersBase64"]]
    try:
        # Web frameworks join repeated headers like this.
        verify(base64.b64decode(vector["bodyBase64"]), ", ".join(lines), options["secrets"], options["toleranceSeconds"], options["now"])
        result = "ok"
    except ValueError:
        result = "reject"
    if result != vector["expect"]["result"]:
        wrong.append(vector["id"])
print(len(vectors["verify"]), "vectors, wrong:", wrong)
sys.exit(1 if wrong else 0)
