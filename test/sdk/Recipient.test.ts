import { recipient } from "@carteiro/sdk"
import { assert, it } from "@effect/vitest"

it("answers a customer by phone where it is known, else by the platform's id, and a group by its own U-HID-02 U-SND-11", () => {
  const user_id = "BR.13491208655302741918"
  assert.deepStrictEqual(recipient({ id: "+5511912345678", user_id }), { type: "phone_e164", id: "+5511912345678" })
  assert.deepStrictEqual(recipient({ id: "", user_id }), { type: "chatapp_user_id", id: user_id })
  assert.deepStrictEqual(recipient({ id: "con_1", phone: "", user_id }), { type: "chatapp_user_id", id: user_id })
  assert.deepStrictEqual(recipient({ id: "con_1", phone: "+5511912345678", user_id: null }), {
    type: "phone_e164",
    id: "+5511912345678"
  })
  const group = { id: "grp_01kah7v3m8q6x2r9d4t5w0y1z3" }
  assert.deepStrictEqual(recipient(group), { type: "chatapp_group", ...group })
  assert.throws(() => recipient({ id: "", user_id: null }), TypeError)
})
