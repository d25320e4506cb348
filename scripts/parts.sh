#!/usr/bin/env bash
# Writes a list of parts (SBOM, CycloneDX): what Go builds into a program, what of npm is
# in it and, with the root of an image, the packages of Debian that are installed there.
# The same sources give the same bytes.
#
#   scripts/parts.sh {program} {file.json} [{root}]
set -euo pipefail
program=$(realpath "$1") out=$(realpath -m "$2") root=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."
cyclonedx=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go run $cyclonedx bin -json -std -version "$(cat VERSION)" -output "$work/parts.json" "$program" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
python3 - "$work/parts.json" assets/web/package-lock.json "$out" "$root" <<'END'
import json, sys, urllib.parse
parts, lock, out, root = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), sys.argv[3], sys.argv[4]

def add(purl, name, version, **more):
    parts["components"].append({"bom-ref": purl, "type": "library", "name": name, "version": version, "purl": purl, **more})

# What is built into the scripts and the fonts comes from npm: it is in the lock file.
tools = ("typescript", "@types/")
for path, package in sorted(lock["packages"].items()):
    name = path.removeprefix("node_modules/")
    if path and not name.startswith(tools):
        add("pkg:npm/" + name.replace("@", "%40") + "@" + package["version"], name, package["version"], licenses=[{"expression": package["license"]}])

# What Debian's tools say is installed.
if root:
    release = dict(line.rstrip("\n").split("=", 1) for line in open(root + "/etc/os-release") if "=" in line)
    distro = release["ID"].strip('"') + "-" + release.get("VERSION_ID", release.get("VERSION_CODENAME", "")).strip('"')
    packages = []
    for text in open(root + "/var/lib/dpkg/status").read().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in text.split("\n") if ": " in line and not line.startswith(" "))
        if fields.get("Status", "").endswith(" installed"):
            packages.append(fields)
    for p in sorted(packages, key=lambda p: (p["Package"], p["Architecture"])):
        quoted = urllib.parse.quote(p["Version"], safe="")
        more = {}
        if "Source" in p:  # the name of the source, when it is another one, by which faults are told
            more["properties"] = [{"name": "debian:source", "value": p["Source"]}]
        add(f"pkg:deb/debian/{urllib.parse.quote(p['Package'], safe='')}@{quoted}?arch={p['Architecture']}&distro={distro}", p["Package"], p["Version"], **more)

# The same sources give the same bytes.
del parts["serialNumber"], parts["metadata"]["timestamp"]
json.dump(parts, open(out, "w"), indent=1)
END
