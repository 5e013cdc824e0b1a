import { callingMember } from "@carteiro/http-edge/Admission.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { DeviceProjectNotFound, DeviceRequestNotFound } from "@carteiro/schema/access/DeviceDecisionErrors.ts"
import { DeviceDecisionsApi, type DeviceRequest } from "@carteiro/schema/access/DeviceDecisionsApi.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { DeviceApprovals } from "./DeviceApprovals.ts"

/** Operations of people about devices that ask for a key. A-DEV-16..19, decision 0155 */
export const DeviceDecisionsHttp = Routes.group(
  DeviceDecisionsApi,
  Effect.gen(function* () {
    const devices = yield* DeviceApprovals

    return Routes.handlers(DeviceDecisionsApi, {
      find: Effect.fnUntraced(function* ({ query, realNow, traceId }) {
        const open = yield* devices.findOpen(query.user_code, realNow)
        if (open === undefined) return yield* new DeviceRequestNotFound()
        const body: Omit<DeviceRequest, "trace_id"> = {
          ...open,
          object: "device_request",
          key_expires_at: formatTimestampOrNull(open.key_expires_at),
          created_at: formatTimestamp(open.created_at)
        }
        return reply({ traceId }, 200, body)
      }),

      approve: Effect.fnUntraced(function* ({ body, caller, params, realNow, traceId }) {
        const id = params.device_request_id
        const { id: member_id } = callingMember(caller)
        const { organization_id } = caller
        const decided = yield* devices.approve(id, { organization_id, member_id }, body, realNow)
        if (decided === "project_not_found") return yield* new DeviceProjectNotFound()
        if (decided === "gone") return yield* new DeviceRequestNotFound()
        return reply({ traceId }, 200, { id, object: "device_request", status: "approved" })
      }),

      deny: Effect.fnUntraced(function* ({ caller, params, realNow, traceId }) {
        const id = params.device_request_id
        const { id: member_id } = callingMember(caller)
        const { organization_id } = caller
        const decided = yield* devices.deny(id, { organization_id, member_id }, realNow)
        if (decided === "gone") return yield* new DeviceRequestNotFound()
        return reply({ traceId }, 200, { id, object: "device_request", status: "denied" })
      })
    })
  })
)
