import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { secretBinding } from "../endpoint/EndpointSecrets.ts"

/** The endpoint that a listener names; it may be disabled. */
export interface ListenEndpoint {
  readonly subscribed_events: ReadonlyArray<string>
  /** The whole signing secret in plain text, which never leaves the process. */
  readonly secret: string
}

/** Reads endpoints for listening, always within one environment. */
export class ListenEndpoints extends Context.Service<
  ListenEndpoints,
  {
    /** Returns undefined for an unknown, foreign or deleted endpoint. */
    find(environmentId: string, endpointId: string): Effect.Effect<ListenEndpoint | undefined>
  }
>()("@carteiro/runtime/webhooks/listen/ListenEndpoints") {
  static readonly layer = Layer.effect(
    ListenEndpoints,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      return ListenEndpoints.of({
        find: (environment_id, id) =>
          Effect.map(
            one(sql<StoredEndpoint>`select subscribed_events, signing_secret from webhook_endpoints
              where environment_id = ${environment_id} and id = ${id}`),
            (row) => {
              if (row === undefined) return undefined
              const secret = secrets.open("webhook_secret", row.signing_secret, secretBinding({ environment_id, id }))
              if (secret === undefined) throw new Error(`signing secret of ${id} does not open`)
              return { subscribed_events: row.subscribed_events, secret }
            }
          )
      })
    })
  )
}

interface StoredEndpoint {
  readonly subscribed_events: ReadonlyArray<string>
  readonly signing_secret: Uint8Array
}
