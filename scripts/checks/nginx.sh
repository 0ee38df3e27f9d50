#!/usr/bin/env bash
# Runs the tests of the fetcher against nginx.
#
# Installs nginx from Debian's packages if it is missing; if that fails, reports it and skips with status 0. Starts its own
# nginx on a free port of 127.0.0.1 and stops only that one. Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
  echo "skipped: the tests against nginx did not run: $1" >&2
  exit 0
}

nginx_path() {
  PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v nginx
}

install_nginx() {
  command -v apt-get >/dev/null 2>&1 || skip "nginx is not installed, and there is no apt-get to install it"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || skip "nginx is not installed, and installing it takes root"
    as_root=(sudo -n)
  fi
  # Debian starts a system-wide server after the installation; stop it.
  ${as_root[@]+"${as_root[@]}"} apt-get update -qq >&2 || skip "Debian's package lists cannot be fetched"
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends \
    nginx-light >&2 || skip "Debian's package nginx-light cannot be installed"
}

scripts/setup
nginx_path >/dev/null || install_nginx
nginx="$(nginx_path)" || skip "nginx is not where its package puts it"

folder="$(mktemp -d)"
pid=
stop() {
  if [ -n "$pid" ]; then
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap stop EXIT

write_configuration() {
  cat >"$folder/nginx.conf" <<CONFIGURATION
daemon off;
pid $folder/pid;
error_log $folder/error.log;
events {}
http {
  access_log off;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  types { application/json json; }
  gzip on;
  gzip_types application/json;
  gzip_min_length 1;
  server {
    listen 127.0.0.1:$1;
    root $folder/www;
  }
}
CONFIGURATION
}

# Workers of another user could not read a private folder.
user=()
[ "$(id -u)" != 0 ] || user=(-g "user root;")

mkdir "$folder/www"
for _ in $(seq 20); do
  port=$((20000 + RANDOM % 20000))
  write_configuration "$port"
  "$nginx" -p "$folder" -c "$folder/nginx.conf" -e "$folder/error.log" ${user[@]+"${user[@]}"} &
  pid=$!
  for _ in $(seq 50); do
    [ ! -s "$folder/pid" ] || break 2
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  wait "$pid" 2>/dev/null || true
  pid=
done
[ -n "$pid" ] || skip "nginx does not start: $(tail -1 "$folder/error.log" 2>/dev/null)"

echo "nginx serves $folder/www at http://127.0.0.1:$port" >&2
DUALSEND_NGINX_URL="http://127.0.0.1:$port" DUALSEND_NGINX_ROOT="$folder/www" \
  scripts/lib/swift.sh test . --filter DualSendServerTests.RemoteConfigNginxTests "$@"
