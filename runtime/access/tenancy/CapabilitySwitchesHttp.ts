import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { CapabilitySwitchesApi } from "@carteiro/schema/projects/OwnProjectsApi.ts"
import { Effect } from "effect"
import { Environments } from "./Environments.ts"

/** The operation of people that switches families of an environment off. gaps-1 N "Capability families", decision 0155 */
export const CapabilitySwitchesHttp = Routes.group(
  CapabilitySwitchesApi,
  Effect.map(Environments, (environments) =>
    Routes.handlers(CapabilitySwitchesApi, {
      set: ({ body: { capabilities_off }, caller, traceId }) =>
        Effect.as(
          environments.switchOff(caller.organization_id, caller.environment_id, capabilities_off),
          reply({ traceId }, 200, { object: "capability_switches", capabilities_off })
        )
    })
  )
)
