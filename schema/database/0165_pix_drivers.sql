-- The wire of an account at a Pix provider; null for accounts of before, which speak the bridge's.
alter table provider_connections add column driver text;
