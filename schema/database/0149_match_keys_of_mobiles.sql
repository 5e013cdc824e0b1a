-- Mexican (52, 521) and Argentine (54, 549) mobiles have one key in both spellings. Decision 0136

create temporary table old_keys on commit drop as
select environment_id, id, match_key as old_key, regexp_replace(match_key, '^(52)1|^(54)9', '\1\2') as new_key
from contacts where customer_type = 'phone_e164' and match_key ~ '^(521|549)[0-9]{10}$';

-- Contacts that meet: the older id stays, opted out wins, then opted in.
create temporary table met_contacts on commit drop as
select o.environment_id, o.id as from_id, n.id as to_id,
  case when (f.created_at, f.id) < (n.created_at, n.id) then f.id else n.id end as kept_id,
  case when (f.created_at, f.id) < (n.created_at, n.id) then n.id else f.id end as dropped_id,
  least(f.created_at, n.created_at) as created_at,
  (array['none', 'opted_in', 'opted_out'])[greatest(
    array_position(array['none', 'opted_in', 'opted_out'], f.opt_in_status),
    array_position(array['none', 'opted_in', 'opted_out'], n.opt_in_status))] as opt_in_status,
  case when array_position(array['none', 'opted_in', 'opted_out'], f.opt_in_status)
    > array_position(array['none', 'opted_in', 'opted_out'], n.opt_in_status) then f.source else n.source end as source,
  greatest(f.opted_in_at, n.opted_in_at) as opted_in_at, greatest(f.opted_out_at, n.opted_out_at) as opted_out_at,
  greatest(f.last_inbound_at, n.last_inbound_at) as last_inbound_at,
  coalesce(n.profile_name, f.profile_name) as profile_name, coalesce(n.metadata, f.metadata) as metadata,
  coalesce(n.user_id, f.user_id) as user_id, coalesce(n.username, f.username) as username,
  greatest(f.revision, n.revision) + 1 as revision
from old_keys o
join contacts f on f.environment_id = o.environment_id and f.id = o.id
join contacts n on n.environment_id = o.environment_id and n.customer_type = 'phone_e164' and n.match_key = o.new_key;

delete from contacts c using met_contacts m where c.environment_id = m.environment_id and c.id = m.from_id;
update contacts c set id = m.kept_id, created_at = m.created_at, opt_in_status = m.opt_in_status, source = m.source,
  opted_in_at = m.opted_in_at, opted_out_at = m.opted_out_at, last_inbound_at = m.last_inbound_at,
  profile_name = m.profile_name, metadata = m.metadata, user_id = m.user_id, username = m.username, revision = m.revision
from met_contacts m where c.environment_id = m.environment_id and c.id = m.to_id;
update consent_events e set contact_id = m.kept_id from met_contacts m
  where e.environment_id = m.environment_id and e.contact_id = m.dropped_id;
insert into contact_aliases (environment_id, id, contact_id)
  select environment_id, dropped_id, kept_id from met_contacts on conflict (environment_id, id) do nothing;
update contacts c set match_key = o.new_key, revision = c.revision + 1 from old_keys o
  where c.environment_id = o.environment_id and c.id = o.id and c.match_key = o.old_key;

update customer_ids set customer_key = regexp_replace(customer_key, '^(52)1|^(54)9', '\1\2')
  where customer_key ~ '^(521|549)[0-9]{10}$';

-- Everything else moves by the job of joins, which looks again for what nodes of the release before wrote meanwhile.
insert into customer_joins (environment_id, from_key, to_key, phone, joined_at, due_at)
select k.environment_id, k.key, regexp_replace(k.key, '^(52)1|^(54)9', '\1\2'), '', now(), '-infinity'
from (
  select environment_id, customer_key as key from messages where customer_key >= '521' and customer_key < '522'
  union select environment_id, customer_key from messages where customer_key >= '549' and customer_key < '55'
  union select environment_id, customer_key from marketing_stops where customer_key ~ '^(521|549)'
  union select environment_id, customer_key from batch_recipients where customer_key ~ '^(521|549)'
  union select environment_id, old_key from old_keys
) k where k.key ~ '^(521|549)[0-9]{10}$' on conflict (environment_id, from_key) do nothing;

-- Windows decide at once.
with gone as (
  delete from service_windows where channel = 'chatapp' and customer_key ~ '^(521|549)[0-9]{10}$' returning *
)
insert into service_windows as w (environment_id, channel, business_id, customer_key, latest_inbound_at)
select environment_id, channel, business_id, regexp_replace(customer_key, '^(52)1|^(54)9', '\1\2'), latest_inbound_at
from gone on conflict (environment_id, channel, business_id, customer_key) do update
  set latest_inbound_at = greatest(w.latest_inbound_at, excluded.latest_inbound_at);
