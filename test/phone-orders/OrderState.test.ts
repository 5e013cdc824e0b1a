import { type OrderStanding, statusOf } from "@carteiro/runtime/phone-orders/order/OrderState.ts"
import { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { OrderStatus } from "@carteiro/schema/phone-orders/PhoneOrder.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const expires_at = 86_400_000
const standing = (change: Partial<OrderStanding>): OrderStanding => ({
  decision: "awaiting_approval",
  expires_at,
  number_status: null,
  activated_at: null,
  ...change
})

describe("The status of an order", () => {
  it("waits until its last millisecond, and is expired afterwards M-ORD-15 M-ORD-35", () => {
    assert.strictEqual(statusOf(standing({}), expires_at - 1), "awaiting_approval")
    assert.strictEqual(statusOf(standing({}), expires_at), "expired")
  })

  it("keeps the decision of people, however late it is read M-ORD-12 M-ORD-14 M-ORD-16", () => {
    assert.strictEqual(statusOf(standing({ decision: "declined" }), expires_at * 9), "declined")
    assert.strictEqual(statusOf(standing({ decision: "terms_changed" }), expires_at * 9), "failed")
  })

  it.prop(
    "follows its number, and stays fulfilled whatever happens to the number later M-ORD-17 M-ORD-18 M-ORD-02",
    [NumberStatus, Schema.Boolean],
    ([number_status, wasActive]) => {
      const activated_at = wasActive ? 1 : null
      const status = statusOf(standing({ decision: "approved", number_status, activated_at }), expires_at * 9)
      assert.isTrue(Schema.is(OrderStatus)(status))
      if (wasActive || number_status === "active") assert.strictEqual(status, "fulfilled")
      else if (number_status === "requested") assert.strictEqual(status, "approved")
      else if (["provisioning", "provisioned", "verifying"].includes(number_status)) {
        assert.strictEqual(status, "provisioning")
      } else assert.strictEqual(status, "failed")
    }
  )
})
