import { type Catalog, catalogOf, english } from "@carteiro/html/Catalog.ts"
import { type Html, named, words } from "@carteiro/html/Html.ts"
import { noticeTexts } from "@carteiro/schema/billing/NoticeTexts.ts"
import { defaultLanguage, type Language, languages } from "@carteiro/schema/conventions/Language.ts"
import { phoneRegions } from "@carteiro/spellings/Phone.ts"
import portuguese from "./portuguese.json" with { type: "json" }
import contract from "./portuguese-contract.json" with { type: "json" }

export { defaultLanguage, type Language, languages } from "@carteiro/schema/conventions/Language.ts"

/** Languages as their readers call them, by the tag of the document. */
export const languageTags: Readonly<Record<Language, readonly [tag: string, name: string]>> = {
  en: ["en", "English"],
  pt: ["pt-BR", "Português"]
}

/** A text of the console's own. One that the catalog lacks does not compile. */
export type Saying = keyof typeof portuguese

/** A text of the console's own, or markup that has data in it. */
export type Label = Saying | Html

/** Returns a text of the console's own in the language of its reader. */
export const say = (label: Label): Html => (typeof label === "string" ? words(label) : label)

/** Returns a word of the contract, such as a status, as people say it. */
export const contractWord = (word: string): Html => words(word.replaceAll("_", " "))

/** A thing that has statuses: in Portuguese the status of a message ends otherwise than that of a batch. */
export type StatusThing =
  | "account"
  | "attempt"
  | "authorization"
  | "batch"
  | "connection"
  | "delivery"
  | "email"
  | "fee"
  | "file"
  | "flow"
  | "group"
  | "key"
  | "management"
  | "message"
  | "month"
  | "number"
  | "order"
  | "organization"
  | "payment"
  | "plan"
  | "production"
  | "report"
  | "setup"
  | "template"
  | "topup"
  | "version"

/** Returns a status of the contract as people say it of this thing; a catalog may know it as `sent message`. */
export const statusWord = (thing: StatusThing, status: string): Html => {
  const spaced = status.replaceAll("_", " ")
  return named([[`${spaced} ${thing}`], [spaced]], spaced)
}

/** Returns the name of an action or a meter, such as `member.added`, as people say it. */
export const dottedWord = (name: string): Html => {
  const spaced = name.replaceAll(/[._]/g, " ")
  return named([[spaced], [name]], spaced)
}

/** Returns a sentence that the contract declares under a code, such as that of an event or a remark. */
export const declared = (code: string, text: string): Html => named([[code]], text)

/** Returns the name of a country by its ISO 3166 alpha-2 code. */
export const countryName = (region: string): Html =>
  named([[countryKey(region)]], englishCountries.of(region) ?? region)

const countryKey = (region: string): string => `country ${region}`

const englishCountries = new Intl.DisplayNames(["en"], { type: "region" })

const portugueseCountries = (): Readonly<Record<string, string>> => {
  const names = new Intl.DisplayNames(["pt-BR"], { type: "region" })
  return Object.fromEntries(phoneRegions().map(({ region }) => [countryKey(region), names.of(region) ?? region]))
}

/** Returns a sentence of a refusal, in the reader's language where the catalog has it. */
export const sentence = (text: string | Html): Html => (typeof text === "string" ? words(text) : text)

/** The catalogs by language. */
export const catalogs: Readonly<Record<Language, Catalog>> = {
  en: english,
  pt: catalogOf({ ...portuguese, ...contract, ...noticeTexts.pt, ...portugueseCountries() }, languageTags.pt[0])
}

/** Returns a text in a language. */
export const translated = (text: string, language: Language): string => catalogs[language].words(text)

/** Returns the language of this name; undefined for any other name. */
export const languageNamed = (name: string | undefined): Language | undefined =>
  languages.find((language) => language === name)

/** Returns the first of the languages that a browser wants, by the weights of `Accept-Language`. */
export const wantedLanguage = (accepted: string | undefined): Language => {
  const wanted = (accepted ?? "").split(",").map((one, index) => {
    const [range = "", ...parameters] = one.trim().toLowerCase().split(";")
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
    return { language: languageNamed(range.split("-")[0]), weight: Number(weight ?? 1), index }
  })
  const known = wanted.flatMap(({ language, ...rest }) =>
    language === undefined || !(rest.weight > 0) ? [] : [{ language, ...rest }]
  )
  const [first] = known.toSorted((one, other) => other.weight - one.weight || one.index - other.index)
  return first?.language ?? defaultLanguage
}
