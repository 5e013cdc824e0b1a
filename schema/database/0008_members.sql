-- Sign-in links and sessions of a member begun by then have ended: deactivating somebody ends them for good, also for
-- the time after that member is let in again.
alter table members add column signed_out_at timestamptz;
