import { type DueOwners, wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import { Effect, Layer } from "effect"
import { numberChanged } from "../phone-numbers/PhoneNumbers.ts"
import { defineRoom } from "../room/Room.ts"
import { approveOrderHandler } from "./decide/ApproveOrder.ts"
import { decidingLayer } from "./decide/DecidingLayer.ts"
import { PhoneOrderDecisionsHttp } from "./decide/PhoneOrderDecisionsHttp.ts"
import { phoneOrderOwners } from "./decide/PhoneOrderOwners.ts"
import { PhoneOrderWorker } from "./decide/PhoneOrderWorker.ts"
import { endOrderHandler, fulfilOrderHandler } from "./decide/RentalActs.ts"
import { Ordering } from "./order/Ordering.ts"
import { OrderReads } from "./order/OrderReads.ts"
import { OrderRepo, ordersOfTenant } from "./order/OrderRepo.ts"
import { OrderRequirements, RequiresBillingRecipient } from "./order/OrderRequirements.ts"
import { OrderStandings } from "./order/OrderStandings.ts"
import { PhoneOrdersHttp } from "./order/PhoneOrdersHttp.ts"
import { outwardOrders } from "./rental/OutwardOrders.ts"
import { RentalRepo } from "./rental/RentalRepo.ts"
import { connectFollower, hastenOrder, releaseFollower } from "./rental/RentalWrites.ts"

/** Returns approved orders that are due. */
const due: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(OrderRepo, (repo) => repo.due(now, after, limit)),
    OrderRepo.layer
  )

/** Wakes an order's owner after a change of the order; the sweeper catches a missed wake-up. */
const waking = Layer.mergeAll(
  wakeAfterCommit(PhoneOrderWorker.name, hastenOrder.name),
  wakeAfterCommit(PhoneOrderWorker.name, connectFollower.name),
  wakeAfterCommit(PhoneOrderWorker.name, releaseFollower.name)
)

/** The phone-orders room: API keys order rentals, people decide on them. */
export const room = defineRoom({
  name: "phone-orders",
  outward: [outwardOrders],
  settings: ({
    phoneProvisioningRequireBillingRecipient
  }: {
    readonly phoneProvisioningRequireBillingRecipient: boolean
  }) => Layer.succeed(RequiresBillingRecipient, phoneProvisioningRequireBillingRecipient),
  followers: { [numberChanged.releaseRequested]: [releaseFollower], [numberChanged.connected]: [connectFollower] },
  acts: [approveOrderHandler, fulfilOrderHandler, endOrderHandler],
  services: OrderRequirements.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(OrderStandings.layer, OrderReads.layer, OrderRepo.layer, RentalRepo.layer))
  ),
  owners: Layer.merge(phoneOrderOwners, waking),
  due: [Effect.succeed({ type: PhoneOrderWorker.name, due, ofTenant: ordersOfTenant })],
  actions: decidingLayer,
  routes: Layer.merge(PhoneOrdersHttp.pipe(Layer.provide(Ordering.layer)), PhoneOrderDecisionsHttp)
})
