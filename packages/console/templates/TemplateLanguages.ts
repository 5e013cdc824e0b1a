import { html } from "../kit/Html.ts"
import type { Label } from "../kit/Language.ts"

/** Languages in which the platform reviews templates and our contract writes them, those of Brazil's neighbours first. */
const codes = (
  "pt_BR en es pt_PT en_US en_GB es_AR es_ES es_MX fr it de nl pl ro sv da nb fi cs sk hu hr sl sq sr bg el tr uk ru " +
  "ar he fa ur hi bn ta te ml mr gu kn pa id ms th vi ja ko zh_CN zh_HK zh_TW sw zu af ha lt lv et ka kk uz az ca ga mk lo"
).split(" ")

/** Returns the languages to choose from, each by its own name, with that of a template which none of them is. */
export const languageChoices = (chosen: string): ReadonlyArray<readonly [value: string, text: Label]> =>
  (codes.includes(chosen) || chosen === "" ? codes : [chosen, ...codes]).map((code) => [
    code,
    html`${nameOf(code)} (${code})`
  ])

const nameOf = (code: string): string => {
  const tag = code.replace("_", "-")
  // The tag of a template that was typed by hand may be none that this server knows.
  if (!/^[a-z]{2}(-[A-Z]{2})?$/.test(tag)) return code
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? code
  return name.charAt(0).toUpperCase() + name.slice(1)
}
