-- What a notice of the console says, as values: a reader's language has its own sentence. Null in rows of before.
alter table billing_notices
  add column amount bigint,
  add column outcome text,
  add column simulated boolean;
