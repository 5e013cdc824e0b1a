-- Notices of a card processor about refunds and disputes name a charge by the processor's id alone. Decision 0160
create index charges_provider on charges (provider_charge_id) where provider_charge_id is not null;
