-- When a look-up by our id first found no authorization at the provider: a second one, an hour later, proves that there is none.
alter table agentic_authorizations add column absent_at timestamptz;

-- Those whose create was cut off were looked up once when they were taken back, and forgotten: they are looked up again.
update agentic_authorizations set step = 'revoke', due_at = now(), doubt_at = null
  where status in ('revoked', 'expired') and step is null and called_at is not null and provider_connection_id is not null
    and provider_authorization_id is null and expires_at > now();
