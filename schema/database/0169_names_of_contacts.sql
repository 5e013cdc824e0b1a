-- Customers are found by the words of their names, whoever of an environment they are. An entry of the index is a word with its
-- environment before it, so that a search reads entries of one environment alone; letters are without accents and small.
-- `ContactRepo.named` asks by the same expression.
create index contacts_name_words on contacts using gin (array_to_tsvector(string_to_array(environment_id || '/' || replace(
  lower(translate(left(profile_name, 255),
    'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ-.''’\',
    'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn     ')),
  ' ', ' ' || environment_id || '/'), ' ')))
  where profile_name is not null;
