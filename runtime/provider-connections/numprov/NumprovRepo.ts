import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { one } from "../../platform/sql/Read.ts"
import { openWebhookSecret } from "../connection/Credentials.ts"

/** Accounts of tenants at the number provider. */
export class NumprovRepo extends Context.Service<
  NumprovRepo,
  {
    /** What signs the provider's calls; undefined for a connection that is nobody's, null where it has none. */
    webhookSecret(connectionId: string): Effect.Effect<Redacted.Redacted | null | undefined>
  }
>()("@carteiro/runtime/provider-connections/numprov/NumprovRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      return NumprovRepo.of({
        webhookSecret: (id) =>
          one(
            sql<{ readonly environment_id: string; readonly webhook_secret: Uint8Array | null }>`select environment_id,
                webhook_secret from numprov_connections where id = ${id} and status <> 'disconnected'`,
            ({ environment_id, webhook_secret }) =>
              openWebhookSecret(secrets, { environment_id, id }, webhook_secret) ?? null
          )
      })
    })
  )
}
