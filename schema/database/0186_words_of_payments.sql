-- Payments are found by what people know them by: the words of the payer's name and of the reference, the last digits of the payer's phone,
-- which stand backwards after a tilde, and the amount. An entry of the index is a word with its environment before it, as in
-- `contacts_name_words`; `PaymentSearch` asks by the same expression.
create index payment_requests_words on payment_requests using gin (array_to_tsvector(string_to_array(environment_id || '/' || replace(
  lower(translate(coalesce(left(customer_name, 255), '') || ' ' || coalesce(external_reference, '') || ' ~' || coalesce(reverse(customer_phone), ''),
    'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ-.''’\',
    'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn     ')),
  ' ', ' ' || environment_id || '/'), ' ')));

create index payment_requests_amount on payment_requests (environment_id, amount, id);
