import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { ConnectedGroups, GroupCall, GroupHostFacts, GroupProvider } from "@carteiro/provider/GroupProvider.ts"
import type { RandomBytes } from "@carteiro/secrets/RandomBytes.ts"
import { Effect } from "effect"
import type { NumberDirectory } from "../../phone-numbers/PhoneNumbers.ts"
import type { GroupRepo } from "../group/GroupRepo.ts"
import type { GroupPlace, GroupState } from "../group/GroupState.ts"
import { type CheckResult, judged } from "../participants/Eligibility.ts"
import type { EligibilityRepo } from "../participants/EligibilityRepo.ts"
import type { DueJob } from "./GroupJobRepo.ts"
import type { CallResult, RuledOut } from "./GroupResult.ts"
import { sandboxGroup } from "./SandboxGroups.ts"

/** The services that calls to the provider need. */
export interface GroupCallDeps {
  readonly numbers: NumberDirectory["Service"]
  readonly groups: GroupRepo["Service"]
  readonly connected: (typeof ConnectedGroups)["Service"]
  readonly eligibilities: EligibilityRepo["Service"]
  readonly random: RandomBytes
  readonly publicUrl: () => string
}

const ruledOut = (code: RuledOut): CallResult => ({ _tag: "RuledOut", code })

/**
 * Reads the facts that decide a number's eligibility; a sandbox number is always eligible. gaps-3 B "Sandbox
 * eligibility result"
 */
export const readFacts = Effect.fnUntraced(function* (deps: GroupCallDeps, phoneNumberId: string, job: DueJob) {
  if (job.environment === "sandbox") return { status: "eligible", reasons: [] } satisfies CheckResult
  const provider = yield* deps.connected({ environment_id: job.environment_id, phone_number_id: phoneNumberId })
  if (provider === undefined) return undefined
  const call: ChatCall<GroupHostFacts> = yield* provider.facts
  return call._tag === "Done" ? judged(call.value) : undefined
})

/**
 * Makes one call to the provider for a group, after a check of the conditions that rule it out. C-GRP-20, C-GRP-22,
 * C-GRP-42
 */
export const changeGroup = Effect.fnUntraced(function* (deps: GroupCallDeps, phoneNumberId: string, job: DueJob) {
  const place: GroupPlace = { environment_id: job.environment_id, id: job.group_id }
  const [group] = yield* deps.groups.among([place])
  if (group === undefined) return ruledOut("provider_error")
  const makes = job.kind === "life" && group.status === "pending"
  const sandbox = group.environment === "sandbox"
  if (makes || !sandbox) {
    const number = yield* deps.numbers.find(group.environment_id, phoneNumberId)
    if (number?.status !== "active") return ruledOut("sender_phone_number_unavailable")
  }
  if (sandbox) return { _tag: "Simulated", ...sandboxGroup(deps.random, deps.publicUrl()) } satisfies CallResult
  if (makes) {
    const eligibility = yield* deps.eligibilities.find(group.environment_id, phoneNumberId)
    if (eligibility?.status === "not_eligible") return ruledOut("group_phone_number_not_eligible")
  }
  const provider = yield* deps.connected({ environment_id: group.environment_id, phone_number_id: phoneNumberId })
  return provider === undefined ? ruledOut("provider_error") : yield* asked(provider, group, job)
})

const asked = (provider: GroupProvider, group: GroupState, job: DueJob): Effect.Effect<CallResult> => {
  const made = group.provider_group_id ?? ""
  if (job.kind === "reset") {
    return Effect.map(provider.resetLink(made), (call) =>
      resultOf(call, ({ invite_link }) => ({ _tag: "Link", invite_link }))
    )
  }
  const { description, id: group_id, subject } = group
  const call = group.status === "pending" ? provider.create({ group_id, subject, description }) : provider.remove(made)
  return Effect.map(call, (answer) => resultOf(answer, ({ request_id }) => ({ _tag: "Taken", request_id })))
}

const resultOf = <A>(call: GroupCall<A>, done: (value: A) => CallResult): CallResult => {
  switch (call._tag) {
    case "Done":
      return done(call.value)
    case "Refused":
      return { _tag: "Refused", message: call.error?.message ?? call.error?.title ?? call.code }
    case "NotSent":
    case "Unknown":
      return call
  }
}
