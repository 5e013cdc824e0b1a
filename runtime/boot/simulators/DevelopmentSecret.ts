import { deriveKey, type MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"

/** A development secret: the same at every start of one data directory, and on all its nodes. */
export const developmentSecret = (keys: Redacted.Redacted<MasterKeys>, name: string): string =>
  Buffer.from(deriveKey(Redacted.value(keys)[0], `development/${name}`))
    .toString("hex")
    .slice(0, 40)
