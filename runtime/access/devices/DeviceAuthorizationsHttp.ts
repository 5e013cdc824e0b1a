import { Routes } from "@carteiro/http-edge/Routes.ts"
import { DeviceAuthorizationsApi } from "@carteiro/schema/access/DeviceAuthorization.ts"
import { Effect } from "effect"
import { DeviceAuthorizations } from "./DeviceAuthorizations.ts"
import { deviceOffence } from "./DeviceFlow.ts"

/** The two routes without a key of the device flow. A-DEV-01..24 */
export const DeviceAuthorizationsHttp = Routes.group(
  DeviceAuthorizationsApi,
  Effect.map(DeviceAuthorizations, (devices) =>
    Routes.handlers(DeviceAuthorizationsApi, {
      create: (request) => devices.create(request, request.body),
      token: (request) => devices.poll(request, request.body.device_code)
    })
  ),
  { callerChecks: { create: (body, _caller, now) => deviceOffence(body, now) } }
)
