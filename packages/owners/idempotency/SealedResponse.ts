import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { subjectHash } from "../Subject.ts"
import { type Completion, readClaim, type StoredResponse } from "./Claim.ts"

/** A completed response, stored in the commit of the effect it answers. gaps-1 B "What is stored" */
export interface IdempotencyRow {
  readonly environment_id: string
  readonly key_hash: string
  readonly fingerprint: string
  readonly response_status: number
  readonly response_body: Uint8Array
  /**
   * The keyed hash of the one customer that the response is about; null otherwise. For several customers `subjectRows`
   * makes rows.
   */
  readonly subject: string | null
  /** Epoch milliseconds. */
  readonly created_at: number
  readonly expires_at: number
}

/**
 * Seals a response with a key from settings. It is bound to its environment and idempotency key, so that a record
 * copied elsewhere cannot be opened; undefined when the request carried no key. gaps-1 B "Secrets inside stored
 * responses"
 */
export const sealResponse = (
  secrets: Secrets["Service"],
  completion: Completion | undefined,
  now: number
): IdempotencyRow | undefined => {
  if (completion?.claim === undefined) return undefined
  const { environment_id, expires_at, fingerprint, key_hash } = readClaim(completion.claim)
  const { response, subjects = [] } = completion
  const { body, status } = response
  const [only] = subjects
  return {
    environment_id,
    key_hash,
    fingerprint,
    response_status: status,
    response_body: sealBody(secrets, environment_id, key_hash, body),
    subject: only !== undefined && subjects.length === 1 ? subjectHash(secrets, environment_id, only) : null,
    created_at: now,
    expires_at
  }
}

/** Returns the response that was sealed for that key of that environment; undefined for any other text. A-IDEM-04 */
export const openResponse = (
  secrets: Secrets["Service"],
  environmentId: string,
  record: {
    readonly key_hash: string
    readonly response_status: number | null
    readonly response_body: Uint8Array | null
  }
): StoredResponse | undefined => {
  const sealed = record.response_body ?? new Uint8Array()
  const body = secrets.open("idempotency_response", sealed, boundTo(environmentId, record.key_hash))
  return body === undefined ? undefined : { status: record.response_status ?? 200, body }
}

/** Returns the sealed body of a response for its record. */
export const sealBody = (
  secrets: Secrets["Service"],
  environmentId: string,
  keyHash: string,
  body: string
): Uint8Array => secrets.seal("idempotency_response", body, boundTo(environmentId, keyHash))

const boundTo = (environmentId: string, keyHash: string): string => `${environmentId}/${keyHash}`
