import { html } from "./Html.ts"
import { script } from "./Scripts.ts"

/** The script of pages whose content moves: it takes over what changed, and leaves alone what the reader does. */
export const liveScript = script("live", new URL("./live.js", import.meta.url))

/** Marks a part, which has an id, that the script takes over. Parts of a page that stands still are left to other scripts. */
export const live = html` data-live`
