-- The business portfolio of a number at the chat platform, to which the daily allowance belongs; null while it is unknown.
alter table phone_numbers add column portfolio_id text collate "C";
create index phone_numbers_portfolio on phone_numbers (portfolio_id, environment_id) where portfolio_id is not null;

-- What the platform said last of a portfolio: its limit holds for the numbers of all its accounts, whoever's they are here.
create table portfolios (
  id text collate "C" primary key,
  messaging_limit_tier text,
  messaging_tier text not null,
  -- Counts the changes of messaging_tier: a lease that was confirmed under an earlier limit opens nothing.
  limit_revision int4 not null default 0,
  updated_at timestamptz not null
);

-- The part of its portfolio's allowance that a number may fill. Only the portfolio's owner raises a quota, and only the
-- number's owner lowers it, so that the number never has more than the portfolio counts. Decision 0150
create table portfolio_leases (
  portfolio_id text collate "C" not null,
  business_id text collate "C" not null,
  -- The most slots that the number may have at once.
  quota int4 not null,
  -- The portfolio's allowance, and the change of its limit, under which the quota was confirmed.
  allowance int4 not null,
  limit_revision int4 not null default 0,
  -- Beyond so many slots the number opens none while others wait; null while no other number waits.
  cap int4,
  -- The number's last request: how many slots it needs to have, and how many it wants, with the allowance that it knew.
  needed int4 not null default 0,
  wanted int4 not null default 0,
  request_allowance int4 not null default 0,
  requested_at timestamptz,
  -- When the request is decided next; null once it was granted.
  due_at timestamptz,
  -- When the number last needed more than there was; null once it got it.
  short_at timestamptz,
  -- When the number was last asked for what it does not use, and whether it has yet to return that.
  recalled_at timestamptz,
  is_recalled boolean not null default false,
  -- When the number was seen to have left the portfolio: a day later its slots there have ended.
  left_at timestamptz,
  primary key (portfolio_id, business_id)
);
create index portfolio_leases_number on portfolio_leases (business_id);
create index portfolio_leases_due on portfolio_leases (portfolio_id, due_at) where due_at is not null;

-- The number of the same portfolio whose slot for the recipient this one shares; such a slot counts there alone.
alter table allowance_slots add column lender_id text collate "C";
