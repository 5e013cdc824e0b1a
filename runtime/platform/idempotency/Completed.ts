import { Context, Effect, Layer } from "effect"
import type { IdempotencyClaim } from "../admission/Admission.ts"
import type { IdempotencyRow } from "../commit/Statement.ts"
import { Secrets } from "../secrets/Secrets.ts"

/** A response as it is stored and replayed. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/**
 * Stored responses: sealed with a key from settings, bound to their environment and key, so that a record copied to
 * another place opens nowhere. gaps-1 B "Secrets inside stored responses"
 */
export class CompletedResponses extends Context.Service<
  CompletedResponses,
  {
    /** The record to be written in the commit of the effect; undefined when the request carried no key. */
    readonly record: (
      claim: IdempotencyClaim | undefined,
      response: StoredResponse,
      now: number
    ) => IdempotencyRow | undefined
    /** What was first sent, byte for byte. A-IDEM-04 */
    readonly open: (
      record: { readonly environment_id: string; readonly key_hash: string },
      status: number,
      sealed: Uint8Array
    ) => StoredResponse | undefined
  }
>()("@carteiro/runtime/platform/idempotency/CompletedResponses") {
  static readonly layer = Layer.effect(
    CompletedResponses,
    Effect.map(Secrets, (secrets) =>
      CompletedResponses.of({
        record: (claim, response, now) =>
          claim === undefined
            ? undefined
            : {
                environment_id: claim.environment_id,
                key_hash: claim.key_hash,
                fingerprint: claim.fingerprint,
                response_status: response.status,
                response_body: secrets.seal("idempotency_response", response.body, boundTo(claim)),
                created_at: now,
                expires_at: claim.expires_at
              },
        open: (record, status, sealed) => {
          const body = secrets.open("idempotency_response", sealed, boundTo(record))
          return body === undefined ? undefined : { status, body }
        }
      })
    )
  )
}

const boundTo = (record: { readonly environment_id: string; readonly key_hash: string }): string =>
  `${record.environment_id}/${record.key_hash}`
