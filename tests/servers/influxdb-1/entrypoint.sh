#!/bin/bash
# Starts influxd as the public image `influxdb:1.8` does. On empty data it first
# makes what the environment asks for, through a server that only this container
# can reach: INFLUXDB_DB, with INFLUXDB_HTTP_AUTH_ENABLED also the administrator
# INFLUXDB_ADMIN_USER, and the files of /docker-entrypoint-initdb.d (*.sh, *.iql).
#
# Other INFLUXDB_<SECTION>_<KEY> variables are read by influxd itself. Flags are
# passed to influxd; any other command is run as it is.
set -euo pipefail

readonly init_files=/docker-entrypoint-initdb.d

main() {
    if [[ ${1:-influxd} == -* ]]; then
        set -- influxd "$@"
    fi
    if [[ ${1:-} == influxd ]] && is_new && is_asked_for_anything; then
        (initialize "${@:2}") # a subshell: the login that it exports ends with it
    fi
    exec "$@"
}

is_new() { [[ ! -e ${INFLUXDB_META_DIR:-/var/lib/influxdb/meta} ]]; }

is_asked_for_anything() {
    [[ -n ${INFLUXDB_DB:-} ]] || wants_administrator || compgen -G "$init_files/*" >/dev/null
}

wants_administrator() {
    [[ ${INFLUXDB_HTTP_AUTH_ENABLED:-} == true && -n ${INFLUXDB_ADMIN_USER:-} ]]
}

initialize() { # FLAGS…
    if wants_administrator; then
        : "${INFLUXDB_ADMIN_PASSWORD:?is needed with INFLUXDB_ADMIN_USER}"
    fi
    INFLUXDB_HTTP_BIND_ADDRESS=127.0.0.1:8086 INFLUXDB_HTTP_HTTPS_ENABLED=false influxd "$@" &
    local server=$!
    wait_for "$server"
    if wants_administrator; then
        query "CREATE USER \"$INFLUXDB_ADMIN_USER\" WITH PASSWORD '$INFLUXDB_ADMIN_PASSWORD' WITH ALL PRIVILEGES"
        # From here on the client has to log in; it reads these two.
        export INFLUX_USERNAME=$INFLUXDB_ADMIN_USER INFLUX_PASSWORD=$INFLUXDB_ADMIN_PASSWORD
    fi
    if [[ -n ${INFLUXDB_DB:-} ]]; then
        query "CREATE DATABASE \"$INFLUXDB_DB\""
    fi
    run_init_files
    kill -TERM "$server"
    wait "$server"
}

query() { influx -host 127.0.0.1 -execute "$1"; }

# influxd opens its port when all else is ready.
wait_for() { # SERVER
    until (exec 3<>/dev/tcp/127.0.0.1/8086) 2>/dev/null; do
        kill -0 "$1" || exit 1
        sleep 0.1
    done
}

run_init_files() {
    local file
    for file in "$init_files"/*; do
        # shellcheck source=/dev/null
        case $file in
            *.sh) . "$file" ;;
            *.iql) influx -host 127.0.0.1 -import -path "$file" ;;
        esac
    done
}

main "$@"
