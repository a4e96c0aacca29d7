#!/bin/sh
# Prints the key under which a service should keep the build cache (the folder that `go env
# GOCACHE` prints) between runs. It changes with what makes go compile the standard library
# anew: the Go version, the target, the build's flags, and taskinstr itself.
#
# A cache whose key has another end, such as a digest of go.sum, still holds the standard
# library: let the service fall back to keys that begin with this one.
set -eu
id=$(taskinstr env | sed -n 's/^TASKINSTR_ID=//p')
[ -n "$id" ] || { echo "cache-key.sh: taskinstr env prints no TASKINSTR_ID" >&2; exit 1; }
flags=$(printf '%s' "$(go env GOFLAGS CGO_ENABLED)" | cksum | cut -d' ' -f1)
echo "taskinstr-$(go env GOOS)-$(go env GOARCH)-$(go env GOVERSION)-$flags-$id"
