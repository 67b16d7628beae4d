#!/usr/bin/env bash
# Installs the S3 servers of the tests the first time, rclone and moto, and prints their folder.
set -euo pipefail

checkout=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../../.." && pwd)
program=$(basename -- "$0")
# shellcheck source=/dev/null
source "$checkout/deploy/lib/messages.sh"
# shellcheck source=/dev/null
source "$checkout/deploy/lib/python.sh"

mkdir -p -- "$checkout/.build"
exec {lock}>"$checkout/.build/s3-servers.lock"
flock "$lock"
python_packages s3-servers "$checkout/Tests/Domains/ObjectStoreTests/servers/requirements.txt" \
    "S3 servers for the tests"
