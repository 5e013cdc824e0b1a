import type { NameWarning } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"

/** Names that describe no particular business. */
const generic: ReadonlySet<string> = new Set([
  "atendimento",
  "business",
  "chat",
  "company",
  "demo",
  "empresa",
  "loja",
  "negocio",
  "support",
  "suporte",
  "test",
  "teste",
  "vendas"
])
const shortest = 3

const link = /https?:\/\/|\bwww\.|[a-z0-9-]+\.(?:com|net|org|br|io|app|shop|store|me|co)\b/i

/**
 * Returns the parts of a display name to which a reviewer may object; a warning blocks no submission and changes no
 * name. M-PHN-24, M-PHN-25, gaps-2 K "Inner phone shapes"
 */
export const nameWarnings = (name: string | null): ReadonlyArray<NameWarning> => {
  if (name === null) return []
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase()
  const letters = [...name].filter((one) => /\p{L}/u.test(one)).join("")
  return [
    ...(generic.has(plain) ? [warning("display_name_generic", "The name says nothing of the business.")] : []),
    ...([...name.trim()].length < shortest ? [warning("display_name_too_short", "The name is very short.")] : []),
    ...(link.test(name) ? [warning("display_name_has_url", "The name holds a web address.")] : []),
    ...(letters.length > shortest && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
      ? [warning("display_name_all_caps", "The name is written in capitals.")]
      : [])
  ]
}

const warning = (code: NameWarning["code"], message: string): NameWarning => ({
  code,
  field: "display_name",
  message: `${message} It may be declined in review.`
})
