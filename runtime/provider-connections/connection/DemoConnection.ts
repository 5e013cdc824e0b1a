import { Context, Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { Ids } from "../../platform/ids/Ids.ts"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { ConnectionRepo, credentialBinding, insertConnected } from "./ConnectionRepo.ts"

/** The account that a demonstration sends through. */
export interface DemoAccount {
  readonly environment_id: string
  readonly biz_account_id: string
  readonly phone_number_id: string
  readonly display_phone_number: string | null
  readonly token: string
}

/** Connects the demo organization's production environment to the simulated platform, once. Boot contract, "Ready" */
export class DemoConnection extends Context.Service<
  DemoConnection,
  { connect(account: DemoAccount, now: number): Effect.Effect<void> }
>()("@carteiro/runtime/provider-connections/connection/DemoConnection") {
  static readonly layer = Layer.effect(
    DemoConnection,
    Effect.gen(function* () {
      const repo = yield* ConnectionRepo
      const commit = yield* Commit
      const secrets = yield* Secrets
      const ids = yield* Ids
      return DemoConnection.of({
        connect: Effect.fnUntraced(function* (account, now) {
          if ((yield* repo.liveId(account.environment_id)) !== undefined) return
          const { environment_id, token } = account
          const id = ids.mint("pcn", now)
          const row = insertConnected.row({
            environment_id,
            id,
            environment: "production",
            channel: "chatapp",
            display_name: "Demo",
            biz_account_id: account.biz_account_id,
            phone_number_id: account.phone_number_id,
            display_phone_number: account.display_phone_number,
            credential: secrets.seal("provider_credential", token, credentialBinding({ environment_id, id })),
            credential_last_four: token.slice(-4),
            created_at: now
          })
          yield* Effect.orDie(commit.write([row]))
        })
      })
    })
  )
}
