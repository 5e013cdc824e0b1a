-- A charge that may have reached its provider is unknown until look-ups, 10 and 70 minutes after the call, find nothing.

-- The first look-up, at least 10 minutes after the call, that found nothing.
alter table charges add column absent_at timestamptz;
comment on column charges.called_at is 'When it last went to the provider; null when it may go (again).';

-- A payment counts for what its invoice was made for, and is credited once that is over.
alter table subscription_invoices
  -- The end of the period in which a renewal or an upgrade was made.
  add column period_end timestamptz,
  -- The plan that an upgrade was priced from.
  add column from_plan_offering_id text collate "C" references plan_offerings (id),
  -- Its payment came when nothing was left to pay for, and went to the wallet.
  add column is_credited boolean not null default false,
  drop constraint subscription_invoices_status_check,
  add constraint subscription_invoices_status_check
    check (status in ('open', 'paid', 'failed', 'expired', 'void', 'refunded'));

-- The end of the last subscription: a checkout that is older is over with it.
alter table subscriptions add column canceled_at timestamptz;
update subscriptions set canceled_at = updated_at where status = 'canceled';

update subscription_invoices i set
  period_end = s.current_period_end,
  from_plan_offering_id = case when i.kind = 'upgrade' then s.plan_offering_id end
from subscriptions s
where s.account_id = i.account_id and i.kind <> 'first' and i.status = 'open';

update subscription_invoices i set is_credited = true
from ledger_entries e
where i.status = 'paid' and e.account_id = i.account_id and e.source_id = i.id
  and e.source_type = 'credit_topup' and e.type = 'credit';

-- A renewal no longer waits for an upgrade beyond the end of the period.
update subscriptions s set due_at = s.current_period_end
where s.status = 'active' and s.due_at is null
  and exists (select 1 from subscription_invoices i
    where i.account_id = s.account_id and i.status = 'open' and i.kind = 'upgrade');

-- The demonstration's plan was written as an invoice without a charge; no other invoice ends as it is made.
delete from subscription_invoices i
where i.kind = 'first' and i.status = 'paid' and i.created_at = i.ended_at
  and not exists (select 1 from charges c where c.account_id = i.account_id and c.id = i.id);
