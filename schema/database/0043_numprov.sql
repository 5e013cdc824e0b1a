-- Numbers of the number provider by the name it has for them.

-- Its calls name a rented number by its own id.
create index phone_numbers_provider on phone_numbers (provider_number_id) where provider_number_id is not null;
