import { UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { readWebhook } from "@carteiro/provider-upstream/webhook/UpstreamWebhook.ts"
import { Layer } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"

/** The settings adapters read. */
type AdapterSettings = Pick<SettingsValues, "upstreamApiBaseUrl" | "upstreamApiVersion" | "upstreamMessagingProduct">

/** The vendors this installation is set up for, behind their ports. gaps-2 E "Who calls the upstream" */
export const adapters = (settings: AdapterSettings): Layer.Layer<never> =>
  settings.upstreamApiBaseUrl === undefined
    ? Layer.empty
    : Layer.merge(
        Layer.succeed(UpstreamNotices, readWebhook),
        Layer.effect(
          UpstreamPlatform,
          makeUpstream({
            baseUrl: settings.upstreamApiBaseUrl,
            version: settings.upstreamApiVersion,
            messagingProduct: settings.upstreamMessagingProduct
          })
        )
      )
