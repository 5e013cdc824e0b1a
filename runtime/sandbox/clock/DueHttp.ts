import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { SandboxDueApi, type SandboxDueThing } from "@carteiro/schema/sandbox/SandboxDueApi.ts"
import { Effect } from "effect"
import { type DueThing, SandboxDue } from "../../tenancy/SandboxDue.ts"

/** Rows of one answer: pages show the first twenty. */
const most = 100

/** The operation of people that tells what the time of a sandbox moves next; production waits for real time alone. */
export const DueHttp = Routes.group(
  SandboxDueApi,
  Effect.gen(function* () {
    const findDue = yield* SandboxDue

    return Routes.handlers(SandboxDueApi, {
      list: Effect.fnUntraced(function* ({ caller, traceId }) {
        const due = caller.environment === "sandbox" ? yield* findDue(caller.environment_id) : []
        const soonest = due.toSorted((one, other) => one.due_at - other.due_at).slice(0, most)
        return reply({ traceId }, 200, { object: "list", data: soonest.map(readDue) })
      })
    })
  })
)

const readDue = ({ due_at, id, type }: DueThing): SandboxDueThing => ({
  object: "sandbox_due_thing",
  owner_type: type,
  subject_id: id,
  due_at: formatTimestamp(due_at)
})
