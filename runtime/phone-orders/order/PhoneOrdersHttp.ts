import { Routes } from "@carteiro/http-edge/Routes.ts"
import { PhoneOrdersApi } from "@carteiro/schema/phone-orders/PhoneOrdersApi.ts"
import { Effect } from "effect"
import { Ordering } from "./Ordering.ts"

/** POST /v1/phone-numbers/provision, POST and GET /v1/phone-numbers/orders. M-ORD, M-PHN-45..48 */
export const PhoneOrdersHttp = Routes.group(
  PhoneOrdersApi,
  Effect.map(Ordering, (ordering) =>
    Routes.handlers(PhoneOrdersApi, {
      provision: (request) => ordering.provision(request, "/v1/phone-numbers/provision", request.body),
      create: (request) => ordering.create(request, request.body),
      get: (request) => ordering.get(request, request.params.order_id)
    })
  )
)
