/** Names of the contract for a phone number: they win over others. */
const contractNames = ["to", "phone"]

/** Names that offices give to the column of phone numbers, in lower case and without accents. */
const officeNames: ReadonlySet<string> = new Set([
  "telefone",
  "telefones",
  "celular",
  "fone",
  "tel",
  "whatsapp",
  "whats",
  "numero",
  "numero de telefone",
  "telefone celular",
  "mobile",
  "phone number",
  "phone_number"
])

/** Returns a name in lower case, without accents and outer blanks. */
export const folded = (name: string): string =>
  name
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .trim()
    .toLowerCase()

/** Whether two names differ in capitals and accents at most. */
export const isSameName = (one: string, other: string): boolean => folded(one) === folded(other)

/** Whether a name is one that people give to a column of phone numbers. */
export const isPhoneName = (name: string): boolean =>
  contractNames.includes(folded(name)) || officeNames.has(folded(name))

/** Returns the indexes of the columns that can hold the phone number, by their names. */
export const phoneColumns = (names: ReadonlyArray<string>): ReadonlyArray<number> => {
  for (const name of contractNames) {
    const index = names.findIndex((one) => folded(one) === name)
    if (index >= 0) return [index]
  }
  return names.flatMap((name, index) => (isPhoneName(name) ? [index] : []))
}

const separators = /[\s().\-/\p{Cf}\p{Pd}]/gu

/** Whether a cell looks like a phone number, also one that a spreadsheet shortened; not whether it is one. */
export const isPhoneLike = (cell: string): boolean =>
  /^\+?\d{8,}(?:[.,]0+)?$/.test(cell.replaceAll(separators, "")) || /^\d[.,]\d+E\+\d+$/i.test(cell)

/**
 * Returns a phone number, in digits behind a plus, as a spreadsheet leaves it: digits alone become a number there, and
 * are shown and saved shortened. The blanks make it a text that nobody can calculate, and a list with it can be read again.
 */
export const spacedPhone = (phone: string): string => {
  const brazilian = /^\+55(\d{2})(\d{4,5})(\d{4})$/.exec(phone)
  if (brazilian !== null) return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
  const [, code = "", rest = ""] =
    /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/.exec(phone) ?? []
  return code === "" ? phone : `+${code} ${rest}`
}

/** Whether a cell is written as `spacedPhone` writes phone numbers, or is digits behind a plus. */
export const isPhoneCell = (cell: string): boolean => /^\+\d+(?:(?: \d+)+(?:-\d+)?)?$/.test(cell)
