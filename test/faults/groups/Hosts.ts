import { Effect } from "effect"
import { askUntilFinal, type Client, isFinal } from "../Client.ts"
import { type Ended, fields } from "../Log.ts"
import type { Seeds } from "../Seeds.ts"

/** What groups are made on. */
export interface GroupStage {
  readonly client: Client
  readonly phoneNumberId: string
  readonly stopped: () => boolean
}

/** Subjects of groups without a final answer, to be asked for again once the product is well again. */
export type UnansweredGroups = Map<string, string>

const pace = [300, 900] as const

/** Somebody who makes groups, resets the links of some and deletes others. */
export const host = Effect.fnUntraced(function* (
  stage: GroupStage,
  name: string,
  seeds: Seeds,
  unanswered: UnansweredGroups
) {
  const known: Array<string> = []
  for (let turn = 0; !stage.stopped(); turn++) {
    yield* Effect.sleep(seeds.between(...pace))
    const earlier = known.at(-seeds.between(1, 5))
    if (earlier !== undefined && seeds.chance(0.3)) yield* change(stage, name, "POST", `${earlier}/invite-link/reset`)
    if (earlier !== undefined && seeds.chance(0.3)) yield* change(stage, name, "DELETE", earlier)
    const marker = `${name}-${turn}`
    const answer = yield* insist(stage, name, seeds, marker)
    if (answer?.phase === "ok") known.push(String(fields(answer.text).id))
    else if (answer === undefined) unanswered.set(marker, marker)
  }
})

/** Asks again under the same key until every group has its final answer. */
export const askForGroups = (stage: GroupStage, unanswered: UnansweredGroups, tries: number) =>
  askUntilFinal(unanswered, tries, (marker) => create(stage, "insister", marker))

/** Retries with the same key until an answer is final or the load stops. */
const insist = Effect.fnUntraced(function* (stage: GroupStage, name: string, seeds: Seeds, marker: string) {
  while (true) {
    const end = yield* create(stage, name, marker)
    if (isFinal(end)) return end
    if (stage.stopped()) return undefined
    yield* Effect.sleep(seeds.between(50, 250))
  }
})

const create = ({ client, phoneNumberId }: GroupStage, name: string, marker: string): Effect.Effect<Ended> =>
  client.call(
    name,
    { kind: "group", marker },
    {
      method: "POST",
      path: "/v1/groups",
      body: { phone_number_id: phoneNumberId, subject: marker },
      key: `group ${marker}`
    }
  )

const change = ({ client }: GroupStage, name: string, method: "POST" | "DELETE", path: string) =>
  client.call(name, { kind: "change_group", path }, { method, path: `/v1/groups/${path}` })
