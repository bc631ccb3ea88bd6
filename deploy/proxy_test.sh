#!/bin/bash
# Two instances of straw serve behind nginx: requests are spread, streams come through piece by piece, and an instance that
# is killed is not missed. STRAW names the program. Needs nginx and curl.
set -eu
work=$(mktemp -d)
here=$(cd "$(dirname "$0")" && pwd)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "proxy_test: $*" >&2; exit 1; }

for port in 18081 18082; do
	"$STRAW" serve --addr 127.0.0.1:$port >"$work/$port.out" 2>"$work/$port.log" &
	pids+=($!)
done
nginx -e stderr -p "$work" -c "$here/nginx.conf" -g 'daemon off;' 2>"$work/nginx.log" &
pids+=($!)
for port in 18080 18081 18082; do
	curl -fs --retry 50 --retry-delay 1 --retry-all-errors -o /dev/null http://127.0.0.1:$port/health || fail "no health at $port"
done

url=http://127.0.0.1:18080/v1/completions
ask() { curl -fsN -H 'Content-Type: application/json' -d "$1" $url; }
told() { grep -c '"path":"/v1/completions"' "$work/$1.log" || true; }

for _ in 1 2 3 4; do ask '{"prompt": "Once", "max_tokens": 4}' >/dev/null; done
[ "$(told 18081)" -gt 0 ] && [ "$(told 18082)" -gt 0 ] || fail "one instance has all requests"

ask '{"prompt": "Once", "max_tokens": 20, "ignore_eos": true, "stream": true}' >"$work/stream"
[ "$(tail -n 2 "$work/stream" | head -n 1)" = "data: [DONE]" ] || fail "the stream has no end"

kill -KILL "${pids[0]}"
for _ in 1 2 3 4 5 6; do ask '{"prompt": "Once", "max_tokens": 4}' >/dev/null || fail "a request was lost with the killed instance"; done

# One that is told to end finishes what it says.
ask '{"prompt": "Once upon a time", "max_tokens": 300, "ignore_eos": true, "stream": true}' >"$work/last" &
asking=$!
for _ in $(seq 100); do [ -s "$work/last" ] && break; sleep 0.05; done
kill -TERM "${pids[1]}"
wait "${pids[1]}" || fail "the drained instance ended with $?"
wait $asking || fail "the stream was cut"
[ "$(tail -n 2 "$work/last" | head -n 1)" = "data: [DONE]" ] || fail "the drained stream has no end"
echo "proxy_test: ok"
