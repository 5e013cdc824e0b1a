create table sandbox_clock_advances (
  environment_id text collate "C" not null references sandbox_clocks (environment_id),
  id text collate "C" not null,
  status text not null check (status in ('running', 'settled', 'stopped')),
  -- Instants of the environment's time.
  from_at timestamptz not null,
  target_at timestamptz not null,
  reached_at timestamptz not null,
  next_due_at timestamptz,
  settled_at timestamptz,
  steps int4 not null default 0,
  -- The real instant at which the step under way began.
  step_began_at timestamptz not null,
  -- The clock stood before: it stands at the target afterwards.
  stood boolean not null,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  primary key (environment_id, id)
);

create unique index sandbox_clock_advances_running on sandbox_clock_advances (environment_id) where status = 'running';
