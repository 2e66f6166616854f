#!/bin/bash
# Starts PostgreSQL as the public image `postgres` does. On an empty PGDATA it
# runs initdb, then a temporary server that listens on its unix socket only,
# makes POSTGRES_DB and runs the files of /docker-entrypoint-initdb.d (*.sh,
# *.sql, *.sql.gz) in it, stops it, and starts the real one. So a log that says
# "ready to accept connections" may be the temporary server's.
#
# Environment: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB, POSTGRES_INITDB_ARGS
# (each also as NAME_FILE, a file with the value), POSTGRES_HOST_AUTH_METHOD, PGDATA.
# Flags are passed to postgres; any other command is run as it is.
set -euo pipefail

main() {
    if [[ ${1:-postgres} == -* ]]; then
        set -- postgres "$@"
    fi
    if [[ ${1:-} != postgres ]] || asks_only "$@"; then
        exec "$@"
    fi
    if [[ $EUID -eq 0 ]]; then
        become_postgres "$@"
    fi
    if [[ ! -s $PGDATA/PG_VERSION ]]; then
        read_environment
        make_cluster
        start_temporary_server "$@"
        make_database
        run_init_files
        stop_temporary_server
        echo 'PostgreSQL init process complete; ready for start up.'
    fi
    unset PGPASSWORD
    exec "$@"
}

# True for flags that make postgres print something and end.
asks_only() {
    local argument
    for argument; do
        case $argument in
            -\? | --help | -V | --version | --describe-config) return 0 ;;
        esac
    done
    return 1
}

become_postgres() {
    mkdir -p "$PGDATA"
    chown -R postgres "$PGDATA"
    chmod 700 "$PGDATA"
    HOME=/var/lib/postgresql exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
}

read_environment() {
    from_file POSTGRES_USER postgres
    from_file POSTGRES_PASSWORD ''
    from_file POSTGRES_DB "$POSTGRES_USER"
    from_file POSTGRES_INITDB_ARGS ''
    if [[ -z $POSTGRES_PASSWORD && ${POSTGRES_HOST_AUTH_METHOD:-} != trust ]]; then
        echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
        echo '       You must specify POSTGRES_PASSWORD to a non-empty value for the superuser.' >&2
        exit 1
    fi
    export PGPASSWORD=$POSTGRES_PASSWORD
}

# Sets NAME from itself, from the file named by NAME_FILE, or to the default.
from_file() { # NAME DEFAULT
    local file=${1}_FILE
    if [[ -n ${!1:-} && -n ${!file:-} ]]; then
        echo "Error: both $1 and $file are set (but are exclusive)" >&2
        exit 1
    fi
    if [[ -n ${!file:-} ]]; then
        export "$1=$(<"${!file}")"
    else
        export "$1=${!1:-$2}"
    fi
    unset "$file"
}

make_cluster() {
    # POSTGRES_INITDB_ARGS holds words, quoted as in a shell.
    eval "initdb --username=\"\$POSTGRES_USER\" --pwfile=<(printf '%s\n' \"\$POSTGRES_PASSWORD\") $POSTGRES_INITDB_ARGS"
    local method=${POSTGRES_HOST_AUTH_METHOD:-$(postgres -C password_encryption)}
    printf '\nhost all all all %s\n' "$method" >>"$PGDATA/pg_hba.conf"
}

start_temporary_server() { # postgres ARGUMENTS…
    shift
    pg_ctl -D "$PGDATA" -w start -o "$(printf '%q ' "$@" -c listen_addresses= -p 5432)"
}

stop_temporary_server() { pg_ctl -D "$PGDATA" -m fast -w stop; }

sql() { psql -v ON_ERROR_STOP=1 --no-psqlrc --no-password --username "$POSTGRES_USER" "$@"; }

make_database() {
    if [[ $POSTGRES_DB != postgres ]]; then
        sql --dbname postgres --set db="$POSTGRES_DB" <<<'CREATE DATABASE :"db";'
    fi
}

run_init_files() {
    local file
    for file in /docker-entrypoint-initdb.d/*; do
        # shellcheck source=/dev/null
        case $file in
            *.sh) . "$file" ;;
            *.sql) sql --dbname "$POSTGRES_DB" --file "$file" ;;
            *.sql.gz) gunzip --stdout "$file" | sql --dbname "$POSTGRES_DB" ;;
        esac
    done
}

main "$@"
