import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Schema } from "effect"

/** Whom a row is about: the kind of address, and the key under which all spellings of one meet. */
export const Subject = Schema.Struct({ type: Schema.String, key: Schema.String })
export type Subject = typeof Subject.Type

/** Half of an HMAC-SHA256 in base64url: no two of an environment meet, and an index of it stays small. */
const hashLength = 22

/**
 * The keyed hash of a subject within its environment: rows that carry it are found by whoever knows the subject, and tell
 * nobody else who it is. gaps-2 I "Erasure"
 */
export const subjectHash = (secrets: Secrets["Service"], environment_id: string, subject: Subject): string =>
  secrets.macText("subject", textOf(environment_id, subject)).slice(0, hashLength)

/** Every hash that rows of a subject may carry, the present master key's first: they may be older than a change of it. */
export const subjectHashes = (
  secrets: Secrets["Service"],
  environment_id: string,
  subject: Subject
): readonly [string, ...ReadonlyArray<string>] => {
  const [present, ...older] = secrets.macTexts("subject", textOf(environment_id, subject))
  return [present.slice(0, hashLength), ...older.map((text) => text.slice(0, hashLength))]
}

const textOf = (environment_id: string, { key, type }: Subject): string => `${environment_id}\n${type}\n${key}`
