import { SignIn } from "@carteiro/console/Ports.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer } from "effect"
import { SessionRepo } from "./SessionRepo.ts"

/** How long a sign-in link works: 15 minutes; milliseconds. gaps-1 C "Dashboard sessions and roles" */
export const linkLifetime = 900_000

/** The one way into the console. gaps-1 C "First administrative key and bootstrap", "Dashboard sessions and roles" */
export const signInLayer = Layer.effect(
  SignIn,
  Effect.gen(function* () {
    const repo = yield* SessionRepo
    const commit = yield* Commit
    const secrets = yield* Secrets
    const ids = yield* Ids
    const publicUrl = yield* PublicUrl
    return SignIn.of({
      link: Effect.fnUntraced(function* (organization_id, member_id, now) {
        const token = Buffer.from(ids.bytes(32)).toString("base64url")
        yield* commit.write([
          repo.insertLink({
            token_hash: secrets.mac("sign_in", token),
            organization_id,
            member_id,
            created_at: now,
            expires_at: now + linkLifetime
          })
        ])
        return `${publicUrl()}/dashboard/sign-in?token=${token}`
      })
    })
  })
)
