import { Layer } from "effect"
import { defineRoom } from "../platform/room/Room.ts"
import { OrderRepo } from "./order/OrderRepo.ts"
import { OrderRequirements, RequiresBillingRecipient } from "./order/OrderRequirements.ts"
import { Ordering } from "./routes/Ordering.ts"
import { PhoneOrdersHttp } from "./routes/PhoneOrdersHttp.ts"
import { StandingRepo } from "./standing/StandingRepo.ts"

/** Rentals: ordered by keys, decided by people. */
export const room = defineRoom({
  name: "phone-orders",
  settings: ({
    phoneProvisioningRequireBillingRecipient
  }: {
    readonly phoneProvisioningRequireBillingRecipient: boolean
  }) => Layer.succeed(RequiresBillingRecipient, phoneProvisioningRequireBillingRecipient),
  services: OrderRequirements.layer.pipe(Layer.provide(StandingRepo.layer), Layer.merge(OrderRepo.layer)),
  routes: PhoneOrdersHttp.pipe(Layer.provide(Ordering.layer))
})
