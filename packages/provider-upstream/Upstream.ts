import type { Calls } from "@carteiro/outbound/Calls.ts"
import type { PlatformCredentials } from "@carteiro/provider/ChatCredentials.ts"
import type { ChatPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { Effect } from "effect"
import { makeUpstreamCalls, type UpstreamOptions } from "./UpstreamCalls.ts"
import { upstreamChat } from "./UpstreamChat.ts"
import { type UpstreamApp, upstreamCredentials } from "./UpstreamCredentials.ts"
import { upstreamFlows } from "./UpstreamFlows.ts"
import { upstreamGroups } from "./UpstreamGroups.ts"
import { upstreamHealth } from "./UpstreamHealth.ts"
import { upstreamMedia } from "./UpstreamMedia.ts"
import { upstreamRegistrar } from "./UpstreamRegistration.ts"
import { upstreamTemplates } from "./UpstreamTemplates.ts"

/** The platform's port, with credentials where the product's app there is known. */
interface Upstream extends ChatPlatform {
  readonly credentials: PlatformCredentials | undefined
}

/** The upstream platform's cloud API over HTTP. gaps-2 E "Who calls the upstream" */
export const makeUpstream = (options: UpstreamOptions, app?: UpstreamApp): Effect.Effect<Upstream, never, Calls> =>
  Effect.map(makeUpstreamCalls(options, app?.secrets), (calls): Upstream => {
    const media: ChatPlatform["media"] = (number) => upstreamMedia(calls, number)
    return {
      chat: (number) => upstreamChat(calls, number, media(number)),
      media,
      health: (number) => upstreamHealth(calls, number),
      templates: (account) => upstreamTemplates(calls, account, app?.id),
      flows: (account) => upstreamFlows(calls, account),
      registrar: (account) => upstreamRegistrar(calls, account),
      groups: (number) => upstreamGroups(calls, number),
      credentials: app === undefined ? undefined : upstreamCredentials(calls, app)
    }
  })
