-- The platform's instants of the newest reports about a connection's account, by what they tell (JSON, epoch
-- milliseconds): an older report that comes late undoes nothing. U-ACC-01
alter table provider_connections add column notice_times text;
