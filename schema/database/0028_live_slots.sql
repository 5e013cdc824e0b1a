-- The live slots of a number lie behind an expression: a look-up of one slot by its key, planned while the table is young,
-- would otherwise take this index for as good as the key's, and walk all slots of the number ever after.
drop index allowance_slots_live;
create index allowance_slots_live on allowance_slots ((business_id || ''), expires_at, environment_id);
