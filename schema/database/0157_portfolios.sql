-- The business portfolio of a number at the chat platform, to which the daily allowance belongs; null while it is unknown.
alter table phone_numbers add column portfolio_id text collate "C";
create index phone_numbers_portfolio on phone_numbers (portfolio_id, environment_id) where portfolio_id is not null;

-- What the platform said last of a portfolio: its limit holds for the numbers of all its accounts, whoever's they are here.
create table portfolios (
  id text collate "C" primary key,
  messaging_limit_tier text,
  messaging_tier text not null,
  updated_at timestamptz not null
);

-- The part of its portfolio's allowance that a number may fill. Only the portfolio's owner raises a quota, and only the
-- number's owner lowers it, so that the number never has more than the portfolio counts. Decision 0150
create table portfolio_leases (
  portfolio_id text collate "C" not null,
  business_id text collate "C" not null,
  -- The most slots that the number may have at once.
  quota int4 not null,
  -- The portfolio's allowance under which the quota was confirmed: under a smaller one it opens nothing.
  allowance int4 not null,
  -- Beyond so many slots the number opens none while others wait; null while no other number waits.
  cap int4,
  -- When the number last wanted more than there was; null once it got it.
  short_at timestamptz,
  -- When the number was asked to return what it does not use; null once it did.
  recalled_at timestamptz,
  -- When the number was seen to have left the portfolio: a day later its slots there have ended.
  left_at timestamptz,
  revision int4 not null default 0,
  primary key (portfolio_id, business_id)
);
create index portfolio_leases_number on portfolio_leases (business_id);

-- The number of the same portfolio whose slot for the recipient this one shares; such a slot counts there alone.
alter table allowance_slots add column lender_id text collate "C";
create index allowance_slots_shared on allowance_slots (business_id, expires_at) where lender_id is not null;
