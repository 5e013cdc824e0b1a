import { script } from "./Scripts.ts"

/** The script of pages whose content moves: it takes over what changed, and leaves alone what the reader does. */
export const liveScript = script("live", new URL("./live.js", import.meta.url))
