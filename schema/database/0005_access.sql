-- Grows with every project made: a maker names the revision it looked at, so that the slug it found free is still free
-- when its commit takes the row, whichever node another maker runs on.
alter table organization_counters add column revision int8 not null default 0;

create index members_by_age on members (organization_id, created_at, id) where role = 'owner' and active;
