import type { IconName } from "./design/IconNames.ts"
import { type Html, html } from "./Html.ts"
import { iconsAddress } from "./Style.ts"

/** Returns an icon beside words that say what it shows. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="${iconsAddress}#${name}"></use></svg>`
