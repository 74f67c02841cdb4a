#!/bin/sh
# A check for HAProxy: succeeds only for a primary. Arguments: proxy address, proxy port, server address, server port.
exec 2>/dev/null
[ "$(PGCONNECT_TIMEOUT=2 /usr/bin/psql -X -At -h "$3" -p "$4" -U deeb -d postgres -c 'select pg_is_in_recovery()')" = f ]
