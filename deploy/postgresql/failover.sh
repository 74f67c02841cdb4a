#!/bin/sh
# Makes a standby the primary by hand, as its user postgres: failover.sh /var/lib/postgresql/15/main
# FIRST make sure that the old primary never answers again: power it off or cut its network. A frozen primary that wakes up accepts
# writes, and a check of its role still finds a primary.
set -eu
PGDATA=$1
# pg_basebackup copied synchronous_standby_names: every commit would wait for a standby that does not exist.
sed -i '/^synchronous_standby_names/d' "$PGDATA/postgresql.auto.conf"
echo "synchronous_standby_names = ''" >> "$PGDATA/postgresql.auto.conf"
"${PG_CTL:-pg_ctl}" -D "$PGDATA" -w promote
