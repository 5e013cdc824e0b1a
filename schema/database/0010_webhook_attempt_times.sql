-- When an attempt went out, and how long its answer took; null for one that never went out, and for older ones.
alter table webhook_attempts add column attempted_at timestamptz, add column duration_ms int4;
