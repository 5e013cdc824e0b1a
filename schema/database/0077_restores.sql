-- Restores to an earlier point, and the work that is held since: it may have left between that point and the loss.

create table restores (
  -- The point that the database was restored to.
  restored_to timestamptz primary key,
  accepted_at timestamptz not null
);

create table restore_holds (
  -- What kind of work it is; the rooms declare them.
  kind text not null,
  -- The environment, account or organization that it belongs to.
  scope text collate "C" not null,
  id text collate "C" not null,
  -- When it was due before it was held; null for a message that waits for an allowance.
  due_at timestamptz,
  held_at timestamptz not null,
  primary key (kind, scope, id)
);
