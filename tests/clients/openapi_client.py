"""Property tests of every endpoint of /openapi.json with the PyPI package `schemathesis`: openapi_client.py BASE_URL.

No answer is a 5xx but the 501 that says what is missing, none has a status, a type or a body that the document does not
tell, and a method that is not in it is answered 405. OPENAPI_CASES says how many cases an endpoint gets (default 20).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

CONFIG = '[checks.not_a_server_error]\nexpected-statuses = ["2xx", "3xx", "4xx", 501]\n'
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
)


def main(address):
    with urllib.request.urlopen(address + "/v1/models") as reply:
        model = json.load(reply)["data"][0]["id"]
    here = Path(__file__).resolve().parent
    environment = dict(os.environ, SCHEMATHESIS_HOOKS="openapi_hooks", PYTHONPATH=str(here), OPENAPI_MODEL=model)
    with tempfile.TemporaryDirectory() as folder:  # hypothesis keeps a folder where it runs
        (Path(folder) / "schemathesis.toml").write_text(CONFIG)
        command = [Path(sys.executable).parent / "schemathesis", "run", address + "/openapi.json"]
        command += ["--phases", "coverage,fuzzing", "--max-examples", os.environ.get("OPENAPI_CASES", "20")]
        command += ["--checks", ",".join(CHECKS), "--continue-on-failure", "--no-shrink", "--request-timeout", "120"]
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stdout + run.stderr)
    cases = next(line.strip() for line in run.stdout.splitlines() if re.match(r" *\d+ generated", line))
    print(f"ok openapi: {cases}")


if __name__ == "__main__":
    main(sys.argv[1])
