import { script } from "./Scripts.ts"

/** The script of every page that a signed-in person sees. */
export const consoleScript = script("console", new URL("./console.js", import.meta.url))
