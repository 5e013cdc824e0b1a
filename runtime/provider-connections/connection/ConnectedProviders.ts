import { Commit } from "@carteiro/owners/Commit.ts"
import { type ChatPlatform, UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { type ChatConnection, type ChatSender, ConnectedChat, notConnected } from "@carteiro/provider/ChatProvider.ts"
import { ConnectedFlows } from "@carteiro/provider/FlowProvider.ts"
import { ConnectedGroups } from "@carteiro/provider/GroupProvider.ts"
import { ConnectedMedia } from "@carteiro/provider/MediaProvider.ts"
import { ConnectedNumber } from "@carteiro/provider/NumberHealth.ts"
import { ConnectedRegistrar } from "@carteiro/provider/NumberRegistration.ts"
import { ConnectedTemplates } from "@carteiro/provider/TemplateProvider.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Effect, Layer } from "effect"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { refusalOf } from "./ConnectionChoice.ts"
import { ConnectionRepo, type NumberConnection } from "./ConnectionRepo.ts"
import { hastenHealth } from "./ConnectionWrites.ts"

/**
 * Provides other rooms with the provider connection of a sender or an environment. Without a base URL of the platform
 * there is none. gaps-2 E "Who calls the upstream", "Choice of connection"
 */
export const connectedProviders = Layer.unwrap(
  Effect.gen(function* () {
    const platform = yield* UpstreamPlatform
    if (platform === undefined) return Layer.empty
    const repo = yield* ConnectionRepo
    const clock = yield* Clock.Clock
    const commit = yield* Commit

    const looks = new Map<string, number>()
    /**
     * Requests a health check after a refusal that only the account's owner can resolve, at most once a minute per
     * node, because a whole batch may be refused.
     */
    const lookAgain = (environment_id: string, id: string, rows: ReadonlyArray<Row> = []) =>
      Effect.suspend(() => {
        const now = clock.currentTimeMillisUnsafe()
        if (now - (looks.get(id) ?? Number.NEGATIVE_INFINITY) < lookAgainMs) return Effect.void
        if (looks.size >= mostLooks) looks.clear()
        looks.set(id, now)
        return Effect.ignoreCause(commit.write([...rows, hastenHealth.row({ environment_id, id, health_due_at: now })]))
      })

    const watch = (
      { business_id, environment_id }: ChatSender,
      found: NumberConnection | undefined,
      connection: ChatConnection
    ): ChatConnection => {
      const id = found?.connection?.id
      if (id === undefined || connection._tag === "Unavailable") return connection
      const { provider } = connection
      const look = lookAgain(environment_id, id)
      const unregistered = lookAgain(environment_id, id, [
        numberChanges.requireRegistration({ environment_id, id: business_id })
      ])
      return {
        _tag: "Connected",
        provider: {
          ...provider,
          send: (send) =>
            Effect.tap(provider.send(send), (answer) =>
              answer._tag !== "Rejected"
                ? Effect.void
                : answer.code === notRegistered
                  ? unregistered
                  : ownersMatter.has(answer.code)
                    ? look
                    : Effect.void
            )
        }
      }
    }

    /** Requests a health check for a number that becomes active now: it reads its health and registers it. U-CON-03 */
    const lookSoon = (environment_id: string, id: string) => {
      const health_due_at = clock.currentTimeMillisUnsafe() + soonMs
      return Effect.ignoreCause(commit.write([hastenHealth.row({ environment_id, id, health_due_at })]))
    }

    const account = <A>(provider: (live: { readonly biz_account_id: string; readonly token: Token }) => A) => {
      return (environmentId: string) =>
        Effect.map(repo.connectedAccount(environmentId), (live) =>
          live === undefined ? undefined : { biz_account_id: live.biz_account_id, provider: provider(live) }
        )
    }

    return Layer.mergeAll(
      Layer.succeed(ConnectedChat, (sender) =>
        sender.channel === "chatapp"
          ? Effect.map(repo.ofNumber(sender.environment_id, sender.business_id), (found) =>
              watch(sender, found, connectionOf(found, platform, clock.currentTimeMillisUnsafe()))
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
              ).pipe(Effect.tap((reached) => (reached === undefined ? Effect.void : lookSoon(environment_id, live.id))))
        )
      ),
      Layer.succeed(ConnectedGroups, ({ environment_id, phone_number_id }) =>
        Effect.map(repo.ofNumber(environment_id, phone_number_id), (found) => {
          const number = reachable(found)
          const refusal = refusalOf(found?.connection, found?.biz_account_id ?? "", clock.currentTimeMillisUnsafe())
          return number === undefined || found === undefined || refusal !== undefined
            ? undefined
            : platform.groups(number)
        })
      ),
      Layer.succeed(ConnectedRegistrar, account(platform.registrar)),
      Layer.succeed(ConnectedTemplates, account(platform.templates)),
      Layer.succeed(ConnectedFlows, account(platform.flows))
    )
  })
)

const lookAgainMs = 60_000
/** Long enough for the number's own commit. */
const soonMs = 5000
const mostLooks = 10_000

/** Refusals that concern a token or an account, not a message. */
const ownersMatter: ReadonlySet<string> = new Set([
  "provider_connection_unauthorized",
  "upstream_payment_method_required",
  "upstream_account_inactive",
  "upstream_messaging_permission_missing"
])

/** The refusal of a send whose number is not registered for the platform's API. U-CON-03 */
const notRegistered = "upstream_registration_required"

type Token = Parameters<ChatPlatform["templates"]>[0]["token"]

/** Returns a number that its account's credential can use. */
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
