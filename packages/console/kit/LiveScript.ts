import { html } from "./Html.ts"
import { script } from "./Scripts.ts"

/** The script of pages that follow what happens: it takes over what changed, and leaves alone what the reader does. */
export const liveScript = script("live", new URL("./live.js", import.meta.url))

/** The server-sent events of an environment for pages that follow it. */
export const streamPath = "/dashboard/stream"

/** Marks a part, which has an id, that the script takes over. */
export const live = html` data-live`

/** Marks an element whose page looks again every so many seconds for as long as it is there. */
export const moving = (seconds = 1) => html` data-moves="${seconds}"`
