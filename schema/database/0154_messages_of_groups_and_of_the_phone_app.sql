-- The group to which a message belongs: by the provider's id, and ours where it is known. Decision 0147
-- `source` tells where an outbound message was written, where that was not here: `business_app`. Decision 0147
alter table messages
  add column group_id text collate "C",
  add column provider_group_id text,
  add column source text;

create index groups_provider on groups (provider_group_id, phone_number_id) where provider_group_id is not null;
