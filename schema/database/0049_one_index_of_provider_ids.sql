-- Ids of providers are looked up by messages_provider, which holds the same rows and more: each change of a message paid
-- for both.

drop index messages_provider_id;
