-- Months of phone numbers: what they were charged, what became of unpaid ones, and the evidence that one is unpaid. gaps-3 F

-- What was decided of a number in a UTC month (`2026-01`), each once: `rental` and `management` at 00:05 on the 1st,
-- `disable` and `release` at 12:00 on the last day.
create table phone_months (
  phone_number_id text collate "C" not null,
  month text collate "C" not null,
  step text collate "C" not null check (step in ('rental', 'management', 'disable', 'release')),
  account_id text collate "C" not null,
  environment_id text collate "C" not null,
  -- What was charged, in 1/10,000 BRL; null where nothing was.
  amount int8 check (amount >= 0),
  decided_at timestamptz not null,
  primary key (phone_number_id, month, step)
);

-- A month whose charge left the balance below zero: of a managed number (`pn_…`), or of all that the account rents (`rental`).
-- Closed when the balance is at zero or above, for good.
create table unpaid_months (
  account_id text collate "C" not null references wallets (account_id),
  month text collate "C" not null,
  subject text collate "C" not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (account_id, month, subject)
);
create index unpaid_months_open on unpaid_months (account_id) where closed_at is null;

-- Managed numbers, newest first.
create index numprov_enrollments_listed on numprov_enrollments (environment_id, enrolled_at, id) where status <> 'ended';
