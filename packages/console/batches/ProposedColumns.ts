import { type ColumnUse, columnNames, columnUses, missingVariables } from "@carteiro/lists/Columns.ts"
import { folded, isPhoneName } from "@carteiro/lists/PhoneCells.ts"
import type { Sheet } from "@carteiro/lists/Sheet.ts"

/** Words that offices and templates use for one thing, in each language, without accents. */
const alike: ReadonlyArray<ReadonlyArray<string>> = [
  ["name", "nome", "cliente", "customer", "client"],
  ["order", "pedido"],
  ["date", "data", "dia", "day"],
  ["time", "hora", "horario"],
  ["amount", "value", "valor", "total", "price", "preco"],
  ["code", "codigo", "coupon", "cupom"],
  ["product", "produto", "item"],
  ["store", "loja", "shop"]
]

/** Words that tell nothing of what a column holds. */
const fillers: ReadonlySet<string> = new Set([
  ..."a o as os de do da dos das e the of number numero num no nr id first primeiro full completo".split(" ")
])

/** Returns the words of a name, small and without accents, each as the first of those that mean the same. */
const wordsOf = (name: string): ReadonlyArray<string> => {
  const words = (folded(name).match(/[a-z]+|\d+/g) ?? []).filter((word) => !fillers.has(word))
  return words.map((word) => alike.find((group) => group.includes(word))?.[0] ?? word)
}

/** Whether one of two names has all words of the other. */
const isSimilar = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => {
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one]
  return fewer.length > 0 && fewer.every((word) => more.includes(word))
}

/**
 * Returns what each column is likely to be for, for a person to look at: by its own name, else by one that means the same as
 * that of a variable. Variables that have numbers for names take the columns that are left, in their order. Without a
 * phone column, a column that may be one is left to the person.
 */
export const proposedUses = (
  sheet: Sheet,
  phone: number | undefined,
  variables: ReadonlyArray<string>
): ReadonlyArray<ColumnUse> => {
  const names = columnNames(sheet)
  const uses = [...columnUses(sheet, phone ?? -1, { variables })]
  const isFree = (index: number) =>
    uses[index] === undefined && index !== phone && names[index] !== "" && !isPhoneName(names[index] ?? "")
  const take = (index: number, name: string) => {
    if (index >= 0) uses[index] = { kind: "variable", name }
  }
  for (const variable of missingVariables(uses, variables)) {
    const words = wordsOf(variable)
    take(
      names.findIndex((name, index) => isFree(index) && isSimilar(words, wordsOf(name))),
      variable
    )
  }
  for (const variable of missingVariables(uses, variables)) {
    if (/^\d+$/.test(variable))
      take(
        names.findIndex((_, index) => isFree(index)),
        variable
      )
  }
  return uses
}
