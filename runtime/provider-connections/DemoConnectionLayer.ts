import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer } from "effect"
import { numberChanges } from "../phone-numbers/PhoneNumbers.ts"
import { ConnectionRepo } from "./connection/ConnectionRepo.ts"
import { insertConnection, nothingKnown } from "./connection/ConnectionWrites.ts"
import { sealCredential } from "./connection/Credentials.ts"
import { PaymentsConnections } from "./connection/PaymentsConnections.ts"
import { DemoConnection } from "./DemoConnection.ts"

export const demoConnectionLayer = Layer.effect(
  DemoConnection,
  Effect.gen(function* () {
    const repo = yield* ConnectionRepo
    const payments = yield* PaymentsConnections
    const commit = yield* Commit
    const secrets = yield* Secrets
    const ids = yield* Ids
    return DemoConnection.of({
      connect: Effect.fnUntraced(function* (account, now) {
        if ((yield* repo.liveId(account.environment_id)) !== undefined) return
        const { environment_id, token } = account
        const id = ids.mint("pcn", now)
        const row = insertConnection.row({
          environment_id,
          id,
          environment: "production",
          provider: "upstream",
          channel: "chatapp",
          status: "connected",
          display_name: "Demo",
          ...nothingKnown,
          biz_account_id: account.biz_account_id,
          phone_number_id: account.phone_number_id,
          display_phone_number: account.display_phone_number,
          ...sealCredential(secrets, { environment_id, id }, token),
          token_source: "manual",
          created_at: now
        })
        yield* Effect.orDie(commit.write([row, numberChanges.connect({ environment_id, due_at: now })]))
      }),
      connectPayments: Effect.fnUntraced(function* (account, now) {
        const live = yield* payments.live(account.environment_id, account.provider, account.channel)
        const present = live === undefined ? undefined : yield* payments.find(account.environment_id, live)
        // An account at an institution was connected by hand, in place of the demonstration's.
        if (present?.driver === "pix-api") return present.id
        const id = live ?? ids.mint("pcn", now)
        const row = live === undefined ? payments.insert(account, id, now) : payments.replace(account, id, now)
        yield* Effect.orDie(commit.write([row]))
        return id
      })
    })
  })
)
