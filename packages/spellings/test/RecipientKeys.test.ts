import { assert, describe, it } from "@effect/vitest"
import { isPossiblePhone } from "../Phone.ts"
import { recipientKeys } from "../RecipientKeys.ts"

describe("The recipient that a filter means", () => {
  it('is a phone as people write it in the region, or as recipient.id takes it, gaps-2 A "Phones outside `recipient.id`"', () => {
    assert.deepStrictEqual(recipientKeys("(11) 99999-8888", "BR"), ["5511999998888", "11999998888"])
    assert.deepStrictEqual(recipientKeys("+551199998888", "BR"), ["5511999998888"])
    assert.deepStrictEqual(recipientKeys("2025550123", "US"), ["12025550123", "2025550123"])
    assert.deepStrictEqual(recipientKeys("nobody", "BR"), [])
  })

  it("is an id of the platform or of a group as it is U-HID-01 U-SND-11", () => {
    for (const id of ["BR.13491208655302741918", "grp_01kah7v3m8q6x2r9d4t5w0y1z3"]) {
      assert.deepStrictEqual(recipientKeys(id, "BR"), [id])
    }
  })
})

describe("A possible phone", () => {
  it("is as long as the numbers of its country, whether or not its range is listed M-SBX-13", () => {
    assert.isTrue(isPossiblePhone("5511912345678"))
    assert.isFalse(isPossiblePhone("55119123"))
    assert.isFalse(isPossiblePhone("99911912345678"))
  })
})
