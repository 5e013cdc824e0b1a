-- Tax ids of payers, and links to pages of ours, are sealed; a page is found by the keyed hash of its token. Rows of earlier
-- releases keep the plain columns until the payments room has sealed them, which SQL alone cannot.

alter table agentic_authorizations add column customer_tax_id_sealed bytea;
alter table agentic_authorizations alter column customer_tax_id drop not null;
alter table agentic_authorizations add check (customer_tax_id is not null or customer_tax_id_sealed is not null);

alter table payment_requests add column customer_tax_id_sealed bytea;
alter table payment_requests add column link_sealed bytea;
alter table payment_requests add column page_hash bytea;
create unique index payment_requests_page_hash on payment_requests (page_hash) where page_hash is not null;

-- By these the rows that are not sealed yet are found; afterwards they are empty.
create index agentic_authorizations_unsealed on agentic_authorizations (id) where customer_tax_id is not null;
create index payment_requests_unsealed on payment_requests (id) where customer_tax_id is not null or page_token is not null;
