#!/usr/bin/env bash
# Walks docs/guides/prove-a-speedup.md: every command of it, in an empty folder.
# walk_evidence.sh CAIRN
set -euo pipefail
tree=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cairn=$(readlink -f "${1:?usage: walk_evidence.sh CAIRN}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/walk"
ln -s "$cairn" "$folder/bin/cairn"
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
  "$tree/docs/guides/prove-a-speedup.md" > "$folder/commands.sh"
[ "$(wc -l < "$folder/commands.sh")" -gt 60 ] || { echo "walk: found no commands in the guide" >&2; exit 1; }
cd "$folder/walk"
CAIRN_TREE=$tree PATH="$folder/bin:$PATH" bash -euo pipefail "$folder/commands.sh"
echo "walk: every command of the guide ran"
