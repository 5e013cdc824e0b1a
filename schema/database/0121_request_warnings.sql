-- What a response warned of, such as invalid_phone_number. gaps-2 A "Phones outside `recipient.id`"

alter table request_logs add column warning text;
