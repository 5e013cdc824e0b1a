-- Endpoints that do not deliver as usual, for the gauge of breaker states. Neither column moves while deliveries go well.
create index webhook_endpoints_breaker on webhook_endpoints (disabled_reason, probation)
  where status = 'disabled' or probation;
