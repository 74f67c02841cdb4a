alter table auth.pending_signups add column browser_hash bytea;
comment on column auth.pending_signups.browser_hash is 'A hash of the random secret of the browser that signed up.';
