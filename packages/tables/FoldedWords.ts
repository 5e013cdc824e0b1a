/** Letters of Brazil's names and what divides their words, and what stands for each: small letters, no accents, spaces. */
const spelled = "ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ-.''’\\"
const folded = `${"aaaaaeeeeiiiiooooouuuucn".repeat(2)}     `

/**
 * Returns the SQL of the words of a text, each with its environment before it, so that a search reads the entries of one environment alone.
 * An index on this expression is what makes it cheap; a migration writes it out.
 */
export const indexedWords = (text: string): string =>
  `array_to_tsvector(string_to_array(environment_id || '/' || replace(
  lower(translate(${text}, '${spelled}', '${folded}')), ' ', ' ' || environment_id || '/'), ' '))`

/** Returns the SQL of the words that a text parameter has, as a query of the environment `e.id`; null for a text without a word. */
export const typedWords = (
  parameter: string
): string => `(select string_agg('''' || e.id || '/' || word || ''':*', ' & ')
  from unnest(string_to_array(lower(translate(${parameter}::text, '${spelled}', '${folded}')), ' ')) as word where word <> '')`
