"""Says what verify.py makes of tolerances: python3 check_tolerance.py BODY HEADER SECRET

Each line of the input is a tolerance in seconds and the time at which the request arrives.
"""

import sys

from verify import verify

body, header, secret = sys.argv[1:]
for line in sys.stdin:
    tolerance, now = line.split()
    try:
        verify(body.encode(), header, [secret], float(tolerance), int(now))
        print("ok")
    except ValueError:
        print("reject")
