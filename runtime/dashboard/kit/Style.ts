import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

/** The one stylesheet of the dashboard. */
export const styleText = readFileSync(new URL("./style.css", import.meta.url), "utf8")

/** Changes with the text, so that browsers may keep it for good. */
export const styleTag = createHash("sha256").update(styleText).digest("base64url").slice(0, 16)

export const styleAddress = `/dashboard/style.css?v=${styleTag}`
