-- How an approved order comes to its number at the provider, and how the number goes back.

alter table phone_number_orders
  -- What its owner does next at the provider, the chat platform or the account; null when nothing is left to do.
  add column step text check (step in ('order', 'find', 'read', 'register', 'fulfil', 'fail', 'watch', 'give_back')),
  -- How often the present step was missed, and since when it is tried.
  add column step_attempts int4 not null default 0,
  add column step_began_at timestamptz,
  -- Orders that the provider could not deliver, each under a name of its own, and when the one left that it may have now:
  -- one without an answer is looked up, never repeated.
  add column failed_count int4 not null default 0,
  add column placed_at timestamptz,
  add column provider_order_id text,
  -- The provider's id of the number that it delivered, and when it took the number back.
  add column provider_number_id text,
  add column returned_at timestamptz,
  -- When the first month was settled or given back: what its account has decided of it is over then.
  add column ended_at timestamptz,
  -- Why it comes to nothing; kept for the number, which shows it.
  add column error_code text,
  add column error_message text;

update phone_number_orders set step = 'order', step_began_at = decided_at where due_at is not null;
update phone_number_orders set ended_at = decided_at where due_at is null and reservation_id is not null;
