-- Erasure finds the customer in jobs of files, in groups, and in bodies of vendors' calls whose work ended late.
-- gaps-2 I "Erasure"

-- The customer whose file it is; null for jobs about nobody in particular, such as those of a batch.
alter table media_jobs
  add column customer_type text,
  add column customer_key text;
create index media_jobs_customer on media_jobs (customer_key, environment_id) where customer_key is not null;
update media_jobs j set customer_key = m.customer_key, customer_type = case m.channel when 'chatapp' then 'phone_e164'
    when 'socialapp' then 'social_user' else m.channel end
  from messages m where j.kind = 'send' and m.environment_id = j.environment_id and m.id = j.id and m.customer_key <> '';
update media_jobs j set customer_type = a.customer_type, customer_key = a.customer_key
  from media_assets a where j.kind = 'capture' and a.environment_id = j.environment_id and a.id = j.id;

-- A participant's id is the phone number as the channel writes it. The expression is that of the erasure.
create index group_participants_phone on group_participants (translate(chat_id, '+ ().-', ''), environment_id);
create index group_participations_phone on group_participations (translate(chat_id, '+ ().-', ''), environment_id);

-- Bodies that are still to be emptied, however long ago they came.
create index vendor_webhooks_bodies on vendor_webhooks (received_at) where body <> ''::bytea;
