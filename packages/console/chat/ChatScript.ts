import { script } from "../kit/Scripts.ts"

/** The script of the chat. */
export const chatScript = script("chat", new URL("./chat.js", import.meta.url))
