import type { ChatPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { Effect, type Scope } from "effect"
import { makeUpstreamCalls, type UpstreamOptions } from "./UpstreamCalls.ts"
import { upstreamChat } from "./UpstreamChat.ts"
import { upstreamFlows } from "./UpstreamFlows.ts"
import { upstreamHealth } from "./UpstreamHealth.ts"
import { upstreamMedia } from "./UpstreamMedia.ts"
import { upstreamTemplates } from "./UpstreamTemplates.ts"

/** The upstream platform's cloud API over HTTP, connections kept while the scope is open. gaps-2 E "Who calls the upstream" */
export const makeUpstream = (options: UpstreamOptions): Effect.Effect<ChatPlatform, never, Scope.Scope> =>
  Effect.map(makeUpstreamCalls(options), (calls): ChatPlatform => {
    const media: ChatPlatform["media"] = (number) => upstreamMedia(calls, number)
    return {
      chat: (number) => upstreamChat(calls, number, media(number)),
      media,
      health: (number) => upstreamHealth(calls, number),
      templates: (account) => upstreamTemplates(calls, account),
      flows: (account) => upstreamFlows(calls, account)
    }
  })
