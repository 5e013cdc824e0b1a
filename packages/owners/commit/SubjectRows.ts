import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { defineInsert } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { type Completion, readClaim } from "../idempotency/Claim.ts"
import { subjectHash } from "../Subject.ts"

const subjectInsert = defineInsert({
  table: "idempotency_subjects",
  columns: { environment_id: "text", key_hash: "text", subject: "text", expires_at: "timestamptz" },
  conflict: { on: ["subject", "environment_id", "key_hash"], update: ["expires_at"] },
  target: ({ environment_id, key_hash }) => `idempotency_subjects/${environment_id}/${key_hash}`
})

/**
 * Returns one row for each customer of a response about several. A response about one customer names it in its
 * idempotency record.
 */
export const subjectRows = (secrets: Secrets["Service"], completion: Completion | undefined): ReadonlyArray<Row> => {
  const { claim, subjects = [] } = completion ?? {}
  if (claim === undefined || subjects.length < 2) return []
  const { environment_id, expires_at, key_hash } = readClaim(claim)
  const hashes = new Set(subjects.map((subject) => subjectHash(secrets, environment_id, subject)))
  return [...hashes].map((subject) => subjectInsert.row({ environment_id, key_hash, subject, expires_at }))
}
