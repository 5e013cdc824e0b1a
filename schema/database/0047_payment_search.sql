-- Payments of one authorization, newest first, for people who look at it.
create index agentic_payments_authorization on agentic_payments (environment_id, authorization_id, id);
-- People look for payments by their own reference, or by the provider's id.
create index payment_requests_reference on payment_requests (environment_id, external_reference, id)
  where external_reference is not null;
create index payment_requests_provider_id on payment_requests (environment_id, provider_payment_id, id)
  where provider_payment_id is not null;
