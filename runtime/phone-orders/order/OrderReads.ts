import { Context, Layer } from "effect"
import { OrderRepo } from "./OrderRepo.ts"

/** Reads orders of numbers for other rooms and operators. */
export class OrderReads extends Context.Service<
  OrderReads,
  Pick<OrderRepo["Service"], "find" | "findAnywhere" | "findOf" | "list" | "ofNumber">
>()("@carteiro/runtime/phone-orders/order/OrderReads") {
  static readonly layer = Layer.effect(OrderReads, OrderRepo).pipe(Layer.provide(OrderRepo.layer))
}
