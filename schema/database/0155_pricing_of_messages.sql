-- What the chat platform says of the price of a message: JSON of billable, category, type and model. U-STA-01
alter table messages add column pricing text;
