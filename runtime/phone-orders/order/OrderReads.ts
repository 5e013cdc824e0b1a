import { Context, Layer } from "effect"
import { OrderRepo } from "./OrderRepo.ts"

/** Orders of numbers as other rooms and operators find them. */
export class OrderReads extends Context.Service<
  OrderReads,
  Pick<OrderRepo["Service"], "find" | "findAnywhere" | "findOf" | "list" | "ofNumber">
>()("@carteiro/runtime/phone-orders/order/OrderReads") {
  static readonly layer = Layer.effect(OrderReads, OrderRepo).pipe(Layer.provide(OrderRepo.layer))
}
