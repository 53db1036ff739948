"""Holds packaging/cairn.service to the program: check.py CAIRN UNIT."""
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from configparser import RawConfigParser
from pathlib import Path

cairn, unit_path = sys.argv[1], Path(sys.argv[2])
unit = RawConfigParser()
unit.optionxform = str  # names of systemd's settings have capitals
unit.read(unit_path)
service = unit["Service"]
help_text = subprocess.run([cairn, "serve", "--help"], capture_output=True, text=True, check=True).stdout
command = shlex.split(service["ExecStart"])

# The program knows every flag that the unit gives it.
assert command[1] == "serve", command
for flag in (word for word in command if word.startswith("--")):
    assert re.search(rf"^  {flag} ", help_text, re.M), f"{flag} is no flag of cairn serve"

# Nobody but this machine reaches a server that asks for no keys, and it is not root.
assert command[command.index("--host") + 1] == "127.0.0.1", command
assert service["DynamicUser"] == "yes" and "User" not in service

# It is killed only after running answers had their time.
drain_ms = int(re.search(r"--drain-ms .*default (\d+)\)", help_text)[1])
assert int(service["TimeoutStopSec"]) * 1000 > drain_ms, (service["TimeoutStopSec"], drain_ms)

# systemd understands every line; the program is the one that was built.
if shutil.which("systemd-analyze"):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / unit_path.name
        copy.write_text(unit_path.read_text().replace(command[0], str(Path(cairn).resolve())))
        verify = subprocess.run(["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True)
        assert verify.returncode == 0 and unit_path.name not in verify.stderr, verify.stderr
    print("the unit fits the program and systemd understands it")
else:
    print("the unit fits the program; systemd-analyze is not installed, so systemd was not asked")
