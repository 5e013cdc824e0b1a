import { changed, first } from "../Bending.ts"
import type { Draft } from "../GoodRun.ts"
import { group } from "./GoodGroups.ts"

/** Histories that break each promise about groups. */
export const groupBreaches = {
  "a group is there once for its key": [
    ["a group that is gone", ({ groups }: Draft) => groups.groups.shift()],
    ["two under one key", ({ groups }: Draft) => groups.groups.push({ ...first(groups.groups), id: "grp_x" })]
  ],
  "every group comes to rest": [
    ["a stuck group", ({ groups }: Draft) => groups.groups.push(group("e", "pending"))],
    ["a stuck delete", ({ groups }: Draft) => groups.groups.push(group("e", "deleting"))]
  ],
  "a group is created at its platform once": [
    ["two creates", ({ groups }: Draft) => groups.calls.push({ action: "create", id: "grp_d", outcome: "accepted" })]
  ],
  "only stored groups are created": [
    [
      "one that nobody stored",
      ({ groups }: Draft) => groups.calls.push({ action: "create", id: "grp_x", outcome: "accepted" })
    ]
  ],
  "groups stand as their platform says": [
    ["one that was refused", ({ groups }: Draft) => changed(groups.calls, { outcome: "refused" })],
    ["a delete that nobody took", ({ groups }: Draft) => groups.calls.splice(2, 1)],
    [
      "a failure of ours after the platform made it",
      ({ groups }: Draft) =>
        changed(groups.groups, { status: "failed", failure: { code: "sender_phone_number_unavailable" } })
    ]
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<readonly [what: string, bend: (draft: Draft) => unknown]>>>
