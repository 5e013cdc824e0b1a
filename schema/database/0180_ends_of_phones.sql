-- Customers are found by the last digits of their phones, which people write without area code. The range of an index on the
-- digits from the end holds those of one environment alone. `ContactRepo.endingIn` asks by the same expression.
create index contacts_phone_end on contacts (environment_id, reverse(match_key)) where phone <> '';
