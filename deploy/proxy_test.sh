#!/bin/bash
# Two instances of straw serve behind nginx: requests are spread, streams come through piece by piece, an instance that is
# killed is not missed and one that comes back is used, one that is told to end finishes what it says. STRAW names the
# program. Needs nginx and curl.
set -eu
work=$(mktemp -d)
here=$(cd "$(dirname "$0")" && pwd)
declare -A pid
trap 'kill "${pid[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "proxy_test: $*" >&2; exit 1; }

begin() { # an instance, by its port
	"$STRAW" serve --addr "127.0.0.1:$1" --drain 5m >>"$work/$1.out" 2>>"$work/$1.log" &
	pid[$1]=$!
}
healthy() { curl -fs --retry 50 --retry-delay 1 --retry-all-errors -o /dev/null "http://127.0.0.1:$1/health" || fail "no health at $1"; }
until_true() { # a command, within half a minute
	for _ in $(seq 300); do "$@" && return; sleep 0.1; done
	fail "in vain: $*"
}

begin 18081
begin 18082
nginx -e stderr -p "$work" -c "$here/nginx.conf" -g 'daemon off;' 2>"$work/nginx.log" &
pid[nginx]=$!
for port in 18080 18081 18082; do healthy $port; done

url=http://127.0.0.1:18080/v1/completions
ask() { curl -fsN -H 'Content-Type: application/json' -d "{\"prompt\": \"Once upon a time\", \"ignore_eos\": true, $1}" $url; }
short() { ask '"max_tokens": 4' >"$work/short" || fail "$1"; }
told() { grep -c '"path":"/v1/completions","status":200' "$work/$1.log" || true; }
writes() { curl -fs "http://127.0.0.1:$1/slots" | grep -q '"is_processing":true'; }
ended() { [ "$(tail -n 2 "$1" | head -n 1)" = "data: [DONE]" ]; }

for _ in 1 2 3 4; do short "a request was lost"; done
[ "$(told 18081)" -gt 0 ] && [ "$(told 18082)" -gt 0 ] || fail "one instance has all requests"

# The first pieces are there while the rest is being written. That is over soon, so it is looked at several times.
partly=
for _ in $(seq 20); do
	ask '"stream": true' >"$work/stream" &
	asking=$!
	while [ ! -s "$work/stream" ] && kill -0 $asking 2>/dev/null; do :; done
	if writes 18081 || writes 18082; then partly=yes; fi
	wait $asking && ended "$work/stream" || fail "the stream has no end"
	[ -z "$partly" ] || break
done
[ -n "$partly" ] || fail "the stream came as a whole"

# What a killed instance was writing is written by the other, unless it had begun to answer.
asking=()
for i in 1 2 3 4; do
	ask '"max_tokens": 400' >"$work/whole.$i" &
	asking+=($!)
done
until_true writes 18081
kill -KILL "${pid[18081]}"
wait "${pid[18081]}" 2>"$work/killed" || true
for i in "${asking[@]}"; do wait "$i" || fail "a request was lost with the killed instance"; done
for i in 1 2 3 4; do grep -q '"completion_tokens":400' "$work/whole.$i" || fail "an answer was cut: $(cat "$work/whole.$i")"; done
for _ in 1 2 3 4 5 6; do short "a request was lost after the kill"; done
healthy 18080

# One that comes back is found.
before=$(told 18081)
begin 18081
healthy 18081
found() { short "a request was lost when the instance came back"; [ "$(told 18081)" -gt "$before" ]; }
until_true found

# One that is told to end finishes what it says.
kill -TERM "${pid[18081]}"
wait "${pid[18081]}" || fail "the instance with nothing to do ended with $?"
ask '"max_tokens": 400, "stream": true' >"$work/last" &
asking=$!
until_true [ -s "$work/last" ]
kill -TERM "${pid[18082]}"
wait "${pid[18082]}" || fail "the drained instance ended with $?"
wait $asking && ended "$work/last" || fail "the drained stream was cut"
echo "proxy_test: ok"
