import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { type Html, html } from "../kit/Html.ts"
import { badge, checkbox } from "../kit/Parts.ts"

/** A box for every scope of the catalog. `api_keys:admin` can be granted nowhere else. A-KEY-21, gaps-1 C */
export const scopeFields = (ticked: ReadonlyArray<string>): Html => html`<fieldset><legend>Scopes</legend>
<p class="hint">Writing does not include reading. Without any scope a key can read its account and send feedback.</p>
<div class="ticks">${KeyScope.literals.map((scope) =>
  checkbox(
    "scopes",
    scope,
    scope === "api_keys:admin"
      ? html`<code>${scope}</code> ${badge("makes keys", "warn")}`
      : html`<code>${scope}</code>`,
    ticked.includes(scope)
  )
)}</div></fieldset>`
