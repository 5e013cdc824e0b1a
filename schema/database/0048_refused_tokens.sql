-- When a look at a connection found that the platform refuses its token; null while it takes it. A send through such a
-- connection ends before any call, until the token is rotated or a later look finds it good.
alter table provider_connections add column token_refused_at timestamptz;
