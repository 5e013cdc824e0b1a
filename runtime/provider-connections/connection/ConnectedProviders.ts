import { type ChatPlatform, UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { type ChatConnection, ConnectedChat, notConnected } from "@carteiro/provider/ChatProvider.ts"
import { ConnectedFlows } from "@carteiro/provider/FlowProvider.ts"
import { ConnectedGroups } from "@carteiro/provider/groups/GroupProvider.ts"
import { ConnectedMedia } from "@carteiro/provider/MediaProvider.ts"
import { ConnectedNumber } from "@carteiro/provider/NumberHealth.ts"
import { ConnectedTemplates } from "@carteiro/provider/TemplateProvider.ts"
import { Clock, Effect, Layer } from "effect"
import { refusalOf } from "./ConnectionChoice.ts"
import { ConnectionRepo, type NumberConnection } from "./ConnectionRepo.ts"

/**
 * Tells other rooms whom a sender or an environment is connected to. Without a base URL of the platform nobody is.
 * gaps-2 E "Who calls the upstream", "Choice of connection"
 */
export const connectedProviders = Layer.unwrap(
  Effect.gen(function* () {
    const platform = yield* UpstreamPlatform
    if (platform === undefined) return Layer.empty
    const repo = yield* ConnectionRepo
    const clock = yield* Clock.Clock

    const account = <A>(provider: (live: { readonly biz_account_id: string; readonly token: Token }) => A) => {
      return (environmentId: string) =>
        Effect.map(repo.connectedAccount(environmentId), (live) =>
          live === undefined ? undefined : { biz_account_id: live.biz_account_id, provider: provider(live) }
        )
    }

    return Layer.mergeAll(
      Layer.succeed(ConnectedChat, ({ business_id, channel, environment_id }) =>
        channel === "chatapp"
          ? Effect.map(repo.ofNumber(environment_id, business_id), (found) =>
              connectionOf(found, platform, clock.currentTimeMillisUnsafe())
            )
          : Effect.succeed(notConnected)
      ),
      Layer.succeed(ConnectedMedia, ({ business_id, environment_id }) =>
        Effect.map(repo.ofNumber(environment_id, business_id), (found) => {
          const number = reachable(found)
          return number === undefined ? undefined : platform.media(number)
        })
      ),
      Layer.succeed(ConnectedNumber, ({ environment_id, upstream_phone_number_id }) =>
        Effect.flatMap(repo.connectedAccount(environment_id), (live) =>
          live === undefined
            ? Effect.succeed(undefined)
            : Effect.map(platform.health({ upstream_phone_number_id, token: live.token }).read, (answer) =>
                answer._tag === "Done" ? { biz_account_id: live.biz_account_id } : undefined
              )
        )
      ),
      Layer.succeed(ConnectedGroups, ({ environment_id, phone_number_id }) =>
        Effect.map(repo.ofNumber(environment_id, phone_number_id), (found) => {
          const number = reachable(found)
          const refusal = refusalOf(found?.connection, found?.biz_account_id ?? "", clock.currentTimeMillisUnsafe())
          return number === undefined || found === undefined || refusal !== undefined
            ? undefined
            : platform.groups(number, { biz_account_id: found.biz_account_id, token: number.token })
        })
      ),
      Layer.succeed(ConnectedTemplates, account(platform.templates)),
      Layer.succeed(ConnectedFlows, account(platform.flows))
    )
  })
)

type Token = Parameters<ChatPlatform["templates"]>[0]["token"]

/** A number that its account's credential reaches. */
const reachable = (found: NumberConnection | undefined) => {
  const token = found?.connection?.token
  const upstream_phone_number_id = found?.upstream_phone_number_id ?? null
  return token === undefined || upstream_phone_number_id === null ? undefined : { upstream_phone_number_id, token }
}

const connectionOf = (found: NumberConnection | undefined, platform: ChatPlatform, now: number): ChatConnection => {
  const code = refusalOf(found?.connection, found?.biz_account_id ?? "", now)
  if (code !== undefined) return { _tag: "Unavailable", code }
  const number = reachable(found)
  return number === undefined ? notConnected : { _tag: "Connected", provider: platform.chat(number) }
}
