-- The country in which phone numbers without + or 00 are read. gaps-2 A "Phones outside `recipient.id`"

alter table projects add column default_region text not null default 'BR' check (default_region ~ '^[A-Z]{2}$');
