import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Schema } from "effect"

/** The person a row is about: the kind of address, and a key that is equal for all spellings of one address. */
export const Subject = Schema.Struct({ type: Schema.String, key: Schema.String })
export type Subject = typeof Subject.Type

/**
 * Half of an HMAC-SHA256 in base64url: long enough to avoid collisions within an environment, and short enough for a
 * small index.
 */
const hashLength = 22

/**
 * Returns the keyed hash of a subject within its environment. It finds the rows of a known subject and reveals the
 * subject to no other reader. gaps-2 I "Erasure"
 */
export const subjectHash = (secrets: Secrets["Service"], environment_id: string, subject: Subject): string =>
  secrets.macText("subject", textOf(environment_id, subject)).slice(0, hashLength)

/**
 * Returns every hash that rows of a subject may carry, the present master key's first: rows may be older than a change
 * of the key.
 */
export const subjectHashes = (
  secrets: Secrets["Service"],
  environment_id: string,
  subject: Subject
): readonly [string, ...ReadonlyArray<string>] => {
  const [present, ...older] = secrets.macTexts("subject", textOf(environment_id, subject))
  return [present.slice(0, hashLength), ...older.map((text) => text.slice(0, hashLength))]
}

const textOf = (environment_id: string, { key, type }: Subject): string => `${environment_id}\n${type}\n${key}`
