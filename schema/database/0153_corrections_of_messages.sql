-- When the customer corrected or withdrew a message, by the provider's clock. Decision 0146
alter table messages
  add column edited_at timestamptz,
  add column revoked_at timestamptz;
