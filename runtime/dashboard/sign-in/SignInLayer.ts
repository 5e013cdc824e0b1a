import { Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { PublicUrl } from "../../platform/http/listener/PublicUrl.ts"
import { Ids } from "../../platform/ids/Ids.ts"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { SessionRepo } from "./SessionRepo.ts"
import { linkLifetime, SignIn } from "./SignIn.ts"

export const SignInLayer = Layer.effect(
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
