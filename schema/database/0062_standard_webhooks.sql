-- Deliveries are also signed as the Standard Webhooks specification says, with a secret of its own. gaps-1 J "Secret overlap after rotation"

-- Sealed as the signing secret is. Null for endpoints of the release before, whose nodes may still register some while
-- nodes change in turn: the owner makes theirs at its next load. SQL could store random bytes in the clear only.
alter table webhook_endpoints
  add column standard_webhooks_secret bytea,
  -- Signs beside the present one until that instant.
  add column previous_standard_webhooks_secret bytea,
  add column previous_standard_webhooks_secret_until timestamptz,
  add check ((previous_standard_webhooks_secret is null) = (previous_standard_webhooks_secret_until is null));
