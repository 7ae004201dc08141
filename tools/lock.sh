#!/bin/sh
# Pin the newest versions that go together, for every Python and distro we support: make lock.
# The other sets are solved on top of python.lock and hold only what it does not.
set -eu
cd "$(dirname "$0")/../requirements"

solve() {
    uv pip compile --quiet --universal --python-version 3.10 --no-python-downloads \
        --no-header --no-annotate --upgrade "$@"
}

solve run.in plan.in view.in test.in lint.in build.in bench.in --output-file python.lock >/dev/null
for set in ros-jazzy ros-kilted docs; do
    solve "$set.in" --constraint python.lock | grep -vxFf python.lock >"$set.lock"
done
