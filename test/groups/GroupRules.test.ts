import { isInviteTail, isPersonalGroup } from "@carteiro/runtime/groups/GroupPaths.ts"
import { deleteGroup, newGroup, resetLink } from "@carteiro/runtime/groups/group/GroupLife.ts"
import type { GroupDetail, GroupState } from "@carteiro/runtime/groups/group/GroupState.ts"
import {
  checkEnded,
  checkRequested,
  checkStarted,
  judged,
  unchecked
} from "@carteiro/runtime/groups/participants/Eligibility.ts"
import { joinOrLeave, type Membership, participated } from "@carteiro/runtime/groups/participants/Participation.ts"
import { type CallResult, lifeEnded, reported, resetEnded } from "@carteiro/runtime/groups/worker/GroupResult.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"

const at = 1_800_000_000_000
const pending = newGroup(
  {
    environment_id: "env_1",
    id: "grp_1",
    environment: "production",
    phone_number_id: "pn_1",
    subject: "May",
    description: null,
    trace_id: "t",
    created_at: at
  },
  at
)
const active: GroupState = {
  ...pending,
  status: "active",
  provider_group_id: "g1",
  invite_link: "https://chat.whatsapp.com/a",
  life: null
}
const deleting: GroupState = { ...active, status: "deleting", life: pending.life }
const resetting: GroupState = { ...active, reset: { state: "sending", due_at: at, attempts: 0, requested_at: at } }

it("an unknown outcome of a create leaves it pending, and nothing is sent again C-GRP-43", () => {
  const { group, outcome } = lifeEnded(pending, { _tag: "Unknown" }, at + 1) ?? assert.fail()
  assert.deepStrictEqual([group.status, group.failure, outcome], ["pending", null, undefined])
  assert.deepStrictEqual([group.life?.state, group.life?.due_at, group.life?.request_id], ["waiting", null, null])
})

it("an unknown outcome of a delete leaves it deleting with provider_error C-GRP-58", () => {
  const { group, outcome } = lifeEnded(deleting, { _tag: "Unknown" }, at + 1) ?? assert.fail()
  assert.deepStrictEqual([group.status, group.failure?.code, outcome], ["deleting", "provider_error", undefined])
  const again = Result.getOrThrow(deleteGroup(group, at + 2, at + 2))
  assert.isUndefined(again)
})

it("a delete without a usable connection sends nothing, and a later DELETE queues it again C-GRP-53 C-GRP-59", () => {
  const { group } = lifeEnded(deleting, { _tag: "RuledOut", code: "provider_error" }, at + 1) ?? assert.fail()
  assert.deepStrictEqual([group.status, group.failure, group.life?.state], ["deleting", null, "unsent"])
  const again = Result.getOrThrow(deleteGroup(group, at + 2, at + 2)) ?? assert.fail()
  assert.strictEqual(again.group.life?.state, "queued")
})

it("what rules a create out fails it with its code and no provider C-GRP-17 C-GRP-20 C-GRP-22 C-GRP-42", () => {
  for (const code of [
    "sender_phone_number_unavailable",
    "group_phone_number_not_eligible",
    "provider_error"
  ] as const) {
    const { group, outcome } = lifeEnded(pending, { _tag: "RuledOut", code }, at) ?? assert.fail()
    assert.deepStrictEqual([group.status, group.failure?.code, group.failure?.provider], ["failed", code, null])
    assert.strictEqual(outcome?.type, "create_failed")
  }
})

it("what did not leave is tried five more times with growing pauses, then given up C-GRP-42", () => {
  let group: GroupState = pending
  const pauses: Array<number> = []
  for (;;) {
    const moved = lifeEnded(group, { _tag: "NotSent" }, at) ?? assert.fail()
    group = moved.group
    if (group.status !== "pending") break
    pauses.push((group.life?.due_at ?? 0) - at)
  }
  assert.deepStrictEqual(pauses, [1000, 2000, 4000, 8000, 16_000])
  assert.deepStrictEqual([group.status, group.failure?.code], ["failed", "provider_error"])
})

it("a reset ends by its answer; without a known one the link stays and it is provider_error C-GRP-65..68", () => {
  const link = resetEnded(resetting, { _tag: "Link", invite_link: "new" }, at) ?? assert.fail()
  assert.deepStrictEqual(
    [link.group.invite_link, link.group.reset, link.outcome?.type],
    ["new", null, "invite_link_reset"]
  )
  for (const result of [{ _tag: "Unknown" }, { _tag: "RuledOut", code: "provider_error" }] as const) {
    const { group, outcome } = resetEnded(resetting, result, at) ?? assert.fail()
    assert.deepStrictEqual([group.status, group.failure?.code, outcome], ["active", "provider_error", undefined])
    assert.strictEqual(group.invite_link, resetting.invite_link)
  }
  const refused = resetEnded(resetting, { _tag: "Refused", message: "no" }, at) ?? assert.fail()
  assert.deepStrictEqual(
    [refused.group.failure?.code, refused.outcome?.type],
    ["group_provider_rejected", "invite_link_reset_failed"]
  )
})

it("a reset that fails while the group is deleting tells its own reason and leaves the group's C-GEVT-14", () => {
  const group: GroupState = { ...deleting, reset: resetting.reset, failure: null }
  const moved = resetEnded(group, { _tag: "Refused", message: "no link" }, at) ?? assert.fail()
  assert.isNull(moved.group.failure)
  assert.deepInclude(moved.outcome, { type: "invite_link_reset_failed" })
})

it("a simulated delete or reset never fails C-GEVT-18", () => {
  const simulated = { _tag: "Simulated", provider_group_id: "sb_x", invite_link: "x" } as const
  assert.strictEqual(lifeEnded(deleting, simulated, at)?.outcome?.type, "deleted")
  assert.strictEqual(resetEnded(resetting, simulated, at)?.outcome?.type, "invite_link_reset")
})

const results = fc.constantFrom<CallResult>(
  { _tag: "Simulated", provider_group_id: "sb_x", invite_link: "x" },
  { _tag: "Taken", request_id: "r" },
  { _tag: "Link", invite_link: "y" },
  { _tag: "Refused", message: "no" },
  { _tag: "NotSent" },
  { _tag: "Unknown" },
  { _tag: "RuledOut", code: "provider_error" }
)
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("life" as const), result: results }),
    fc.record({ do: fc.constant("reset" as const), result: results }),
    fc.constantFrom({ do: "delete" as const }, { do: "resetLink" as const }),
    fc.record({
      do: fc.constant("report" as const),
      report: fc.constantFrom(
        { _tag: "Created" as const, provider_group_id: "g", invite_link: "l" },
        { _tag: "Deleted" as const },
        { _tag: "Refused" as const, message: "no" }
      )
    })
  ),
  { maxLength: 25 }
)

it("whatever happens in whatever order, a group never leaves failed but for deleted, and deleted for nothing C-GRP-03 C-GRP-54 C-GRP-60", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      let group: GroupState = pending
      for (const [index, step] of taken.entries()) {
        const now = at + index
        const before = group
        const moved =
          step.do === "life"
            ? lifeEnded(group, step.result, now)
            : step.do === "reset"
              ? resetEnded(group, step.result, now)
              : step.do === "report"
                ? reported(group, step.report, now)
                : step.do === "delete"
                  ? Result.getOrElse(deleteGroup(group, now, now), () => undefined)
                  : Result.getOrElse(resetLink(group, now, now), () => undefined)
        group = moved?.group ?? group
        if (before.status === "deleted") assert.strictEqual(group, before)
        if (before.status === "failed") assert.include(["failed", "deleted"], group.status)
        assert.strictEqual(group.deleted_at === null, group.status !== "deleted")
        if (group.status === "active") assert.isNotNull(group.invite_link)
        if (group.failure !== null && group.failure.provider === null) {
          assert.notStrictEqual(group.failure.code, "group_provider_rejected")
        }
      }
    })
  )
})

it("the newest event of a participant decides in any order of arrival C-GPART-06", () => {
  const told = fc.uniqueArray(
    fc.record({ action: fc.constantFrom("join" as const, "remove" as const), at: fc.integer({ min: 1, max: 50 }) }),
    { minLength: 1, maxLength: 12, selector: ({ at }) => at }
  )
  fc.assert(
    fc.property(told, (events) => {
      let membership: Membership | undefined
      for (const event of events) membership = participated(membership, { ...event, at: event.at * 1000 })
      const newest = [...events].sort((one, other) => other.at - one.at)[0]
      assert.deepInclude(membership, { is_member: newest?.action === "join", latest_at: (newest?.at ?? 0) * 1000 })
    })
  )
})

it("a member who joins again keeps the instant of joining; of one second the one told last decides C-GPART-05", () => {
  const joined = participated(undefined, { action: "join", at: 1000 })
  assert.deepStrictEqual(participated(joined, { action: "join", at: 5000 }), {
    is_member: true,
    joined_at: 1000,
    latest_at: 5000
  })
  assert.isFalse(participated(joined, { action: "remove", at: 1000 }).is_member)
})

it("facts give reasons in their order; a missing one without any gives unknown C-ELIG-03 C-ELIG-04 C-ELIG-08", () => {
  const facts = { platform_type: "cloud_api", is_business_app: false, is_official: true, may_message: true }
  assert.deepStrictEqual(judged(facts), { status: "eligible", reasons: [] })
  assert.deepStrictEqual(judged({ ...facts, is_official: null }), { status: "unknown", reasons: [] })
  assert.deepStrictEqual(
    judged({ platform_type: "on_premise", is_business_app: true, is_official: false, may_message: false }),
    {
      status: "not_eligible",
      reasons: [
        "not_cloud_api",
        "chatapp_business_app_number",
        "not_official_business_account",
        "missing_messaging_permission"
      ]
    }
  )
})

it("a check answers every request up to its start, and one that comes while it runs queues another C-ELIG-07 C-ELIG-23", () => {
  const none = unchecked({ environment_id: "env_1", phone_number_id: "pn_1", environment: "sandbox" })
  const asked = checkRequested(none, at, at)
  const running = checkStarted(checkRequested(asked, at + 1, at), at + 60_000)
  const ended = checkEnded(running, { status: "eligible", reasons: [] }, at + 1)
  assert.deepStrictEqual([ended.checked_at, ended.check], [at + 2, null])
  const asking = checkRequested(running, at + 5, at + 5)
  const again = checkEnded(asking, { status: "eligible", reasons: [] }, at + 6)
  assert.strictEqual(again.check?.state, "queued")
})

it("ids and links of the chat apps' own groups are known in every spelling C-GRP-72 C-GRP-73", () => {
  const hosts = ["chat.whatsapp.com"]
  for (const id of [
    "120363@g.us",
    "120363@G.US",
    "https://chat.whatsapp.com/AbC",
    "HTTP://Chat.WhatsApp.com/x",
    "chat.whatsapp.com/x"
  ]) {
    assert.isTrue(isPersonalGroup(id, hosts), id)
  }
  for (const id of ["grp_1", "chat.whatsapp.com.evil/x", "https://other.example/x", "g.us"]) {
    assert.isFalse(isPersonalGroup(id, hosts), id)
  }
  assert.isTrue(isInviteTail("https://chat.whatsapp.com/AbC/d", hosts))
  assert.isFalse(isInviteTail("chat.whatsapp.comX", hosts))
})

it('members of a simulated group are at most eight, each once, oldest join first C-GPART-10 gaps-3 B "Participant list order on ties"', () => {
  const events = fc.array(
    fc.record({
      chat_id: fc.constantFrom(..."abcdefghijk"),
      action: fc.constantFrom("join" as const, "remove" as const),
      second: fc.nat(9)
    }),
    { maxLength: 60 }
  )
  fc.assert(
    fc.property(events, (all) => {
      let group: GroupDetail = { ...active, suspended_at: null, members: [] }
      const known = new Map<string, Membership>()
      for (const { action, chat_id, second } of all) {
        const told = { chat_id, action, at: second * 1000, is_simulated: true }
        const after = joinOrLeave(group, known.get(chat_id), told, at)
        if (isApiError(after)) {
          assert.strictEqual(group.members.length, 8)
          continue
        }
        group = after.group
        known.set(chat_id, after.membership)
      }
      const present = [...known].flatMap(([chat_id, { is_member }]) => (is_member ? [chat_id] : []))
      assert.sameMembers(
        group.members.map(({ chat_id }) => chat_id),
        present
      )
      assert.isAtMost(group.members.length, 8)
      const joins = group.members.map(({ joined_at }) => joined_at)
      assert.deepStrictEqual(
        joins,
        [...joins].sort((one, other) => one - other)
      )
    })
  )
})
