"""Holds packaging/Containerfile to the program: check_container.py CAIRN CONTAINERFILE (O02).

No image is built: that needs a network and a builder. What is looked at is the last stage: no root, signals reach the
program, a health check that the server answers, flags that the program knows, and every library that it is linked with.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

cairn, containerfile = sys.argv[1], Path(sys.argv[2])
text = re.sub(r"\\\n", " ", containerfile.read_text())
stage = text[text.rindex("\nFROM ") :]


def last(instruction):
    found = re.findall(rf"^{instruction} (.+)$", stage, re.M)
    assert found, f"{containerfile}: no {instruction}"
    return found[-1]


assert last("USER") not in ("root", "0"), "the server would run as root"

# As lists they are started without a shell, which would keep SIGTERM to itself.
assert json.loads(last("ENTRYPOINT")) == ["/usr/local/bin/cairn"]
assert re.search(r"^COPY --from=build \S+/cairn /usr/local/bin/cairn$", stage, re.M)
assert last("STOPSIGNAL") == "SIGTERM"
command = json.loads(last("CMD"))  # of HEALTHCHECK, it stands behind its flags
help_text = subprocess.run([cairn, "serve", "--help"], capture_output=True, text=True, check=True).stdout
assert command[0] == "serve", command
for flag in (word for word in command if word.startswith("--")):
    assert re.search(rf"^  {flag} ", help_text, re.M), f"{flag} is no flag of cairn serve"
assert "--api-keys" in command and "--without-keys" not in command, command

port = command[command.index("--port") + 1]
assert last("EXPOSE") == port
assert f"http://127.0.0.1:{port}/health" in last("HEALTHCHECK"), last("HEALTHCHECK")

# Every library that the program is linked with comes with a package of the list.
packages = set(re.search(r"apt-get install -y --no-install-recommends (.*?) &&", stage)[1].split())
packages |= {"libc6", "libgcc-s1"}  # in every image
needed = subprocess.run(["readelf", "-d", cairn], capture_output=True, text=True, check=True).stdout
for library in re.findall(r"\(NEEDED\).*\[(.+?)\]", needed):
    owner = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True).stdout
    names = {line.split(":")[0] for line in owner.splitlines()}
    assert names & packages or library.startswith("ld-linux"), f"{library} is of {names}, which the image lacks"
print("the container fits the program")
