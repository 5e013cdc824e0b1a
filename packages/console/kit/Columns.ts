import type { ResponseHeaders } from "@carteiro/http-edge/Reply.ts"
import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { columnsCookie, readCookie, rememberedSeconds, setCookie } from "./Cookies.ts"
import { type Html, html } from "./Html.ts"
import { type Label, say } from "./Language.ts"
import { checkbox, type Table } from "./Parts.ts"

/** Name of the parameter by which the address of a list chooses columns. */
const parameter = "columns"

/** A list as its reader chose to see it. */
export interface ShownColumns {
  readonly shown: Html
  /** Keys of the columns as the address has them; undefined where it chooses none. */
  readonly asked: string | undefined
  /** The form that chooses columns; undefined for a list without rows. */
  readonly form: (parameters: Readonly<Record<string, string | undefined>>) => Html | undefined
  /** Remembers a choice of the address, for the pages of this list alone. */
  readonly headers: ResponseHeaders
}

/** Returns a table with the columns that the address chooses, else the remembered ones, else all; the first always stays. */
export const chooseColumns = (request: RawRequest, path: string, table: Table): ShownColumns => {
  const keys = table.columns.map(keyOf)
  const typed = new URLSearchParams(request.search).getAll(parameter)
  const asked = typed.length === 0 ? undefined : keysIn(typed.join(".")).join(".")
  const chosen = asked ?? readCookie(request.headers.cookie, columnsCookie)
  const wanted = new Set(chosen === undefined ? keys : keysIn(chosen))
  const isShown = (index: number) => index === 0 || wanted.has(keys[index] ?? "")
  const hidden = new Set([...keys.keys()].filter((index) => !isShown(index)))
  return {
    shown: hidden.size === 0 ? table : table.without(hidden),
    asked,
    form: (kept) =>
      keys.length < 2
        ? undefined
        : html`<details class="choose-columns"><summary>Columns</summary><form method="get" action="${path}">
${Object.entries(kept).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="${parameter}" value="${keys[0]}">
<fieldset><legend>Columns that are shown</legend>${table.columns.map(
            (column, index) => index > 0 && checkbox(parameter, keys[index] ?? "", say(column), isShown(index))
          )}</fieldset>
<button>Show these columns</button></form></details>`,
    headers:
      asked === undefined || keys.length === 0
        ? {}
        : { "set-cookie": setCookie(columnsCookie, asked, path, hidden.size === 0 ? 0 : rememberedSeconds) }
  }
}

const keyOf = (column: Label, index: number): string =>
  typeof column === "string" ? column.toLowerCase().replaceAll(/[^a-z]+/g, "-") : String(index)

/** The most characters of a choice that are read. */
const longestChoice = 400

/** Returns the keys in a text with dots between them; other characters are none of a key. */
const keysIn = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, longestChoice)
    .split(".")
    .filter((key) => /^[a-z0-9-]+$/.test(key))
