import { mayManage, memberRoles } from "@carteiro/runtime/access/members/MemberRules.ts"
import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import { assert, describe, it } from "@effect/vitest"

describe("Roles", () => {
  it("owners and admins decide, members do not A-DEV-18 (gaps-1 C)", () => {
    assert.deepStrictEqual(memberRoles.filter(mayDecide), ["owner", "admin"])
  })

  it("owners and operators manage every member, admins all but owners, members none (decision 0007)", () => {
    const managed = ([...memberRoles, "operator"] as const).map((by) => [
      by,
      memberRoles.filter((role) => mayManage(by, role))
    ])
    assert.deepStrictEqual(Object.fromEntries(managed), {
      owner: ["owner", "admin", "member"],
      admin: ["admin", "member"],
      member: [],
      operator: ["owner", "admin", "member"]
    })
  })
})
