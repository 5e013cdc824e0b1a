import { randomBytes } from "node:crypto"
import { existsSync, linkSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type MasterKeys, parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Effect, Redacted } from "effect"
import { ensureDataDir, readIfThere } from "./DataDir.ts"
import type { SettingsValues } from "./Settings.ts"
import { StartRefused } from "./StartRefused.ts"

/**
 * The master keys of this process: those of CARTEIRO_MASTER_KEY, else in development the one in `<data dir>/master.key`
 * (mode 0600), made at the first start. Processes that start together get the same one. Boot contract, Settings
 */
export const masterKeys = Effect.fn("MasterKey.masterKeys")(function* (
  settings: Pick<SettingsValues, "dataDir" | "masterKeys" | "mode">
) {
  if (settings.masterKeys !== undefined) return settings.masterKeys
  if (settings.mode === "production") {
    return yield* new StartRefused({ message: "CARTEIRO_MASTER_KEY: required in production" })
  }
  const path = join(yield* ensureDataDir(settings.dataDir), "master.key")
  yield* makeOnce(path)
  return yield* readKeys(path)
})

const makeOnce = (path: string) =>
  Effect.try({
    try: () => {
      if (existsSync(path)) return
      const fresh = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
      writeFileSync(fresh, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flush: true })
      // A link never replaces a key another process has just made, and never shows half of one.
      linkUnlessThere(fresh, path)
      rmSync(fresh)
    },
    catch: () => new StartRefused({ message: `CARTEIRO_DATA_DIR: cannot write ${path}` })
  })

const linkUnlessThere = (fresh: string, path: string): void => {
  try {
    linkSync(fresh, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

const readKeys = Effect.fnUntraced(function* (path: string) {
  const keys = parseMasterKeys(((yield* readIfThere(path)) ?? "").trim())
  if (keys === undefined) {
    const message = `CARTEIRO_DATA_DIR: ${path} does not hold a key of 32 bytes; restore it, or remove the folder`
    return yield* new StartRefused({ message })
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    return yield* new StartRefused({ message: `CARTEIRO_DATA_DIR: others can read ${path}; chmod 600 it` })
  }
  return Redacted.make<MasterKeys>(keys)
})
