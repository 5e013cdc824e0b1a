import { readFileSync } from "node:fs"
import { readWebhook } from "@carteiro/provider-upstream/webhook/UpstreamWebhook.ts"
import { assert, it } from "@effect/vitest"

const caseOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../cases/upstream/${name}.json`, import.meta.url), "utf8"))

const groupsIn = (input: unknown) => readWebhook(Buffer.from(JSON.stringify(input))).groups.get("109876543210001") ?? []

it("a group's creation is read from the field of the platform U-GRP-01", () => {
  const [notice, ...more] = groupsIn(caseOf("group-lifecycle").input)
  assert.deepStrictEqual(notice, {
    kind: "group_created",
    request_id: "<of the answer>",
    provider_group_id: "Y2FwaV9ncm91cDox",
    invite_link: "https://chat.whatsapp.com/AAAA"
  })
  assert.deepStrictEqual(more, [])
})

it("a deletion needs the group's id alone, and settings change nothing U-GRP-01", () => {
  const { input } = caseOf("group-lifecycle")
  const [change] = input.entry[0].changes
  const about = (field: string, group: object) => {
    const changes = [{ field, value: { ...change.value, groups: [{ timestamp: "1795819061", ...group }] } }]
    return groupsIn({ ...input, entry: [{ id: input.entry[0].id, changes }] })
  }
  assert.deepStrictEqual(about("group_lifecycle_update", { type: "group_delete", group_id: "g1" }), [
    { kind: "group_deleted", request_id: null, provider_group_id: "g1" }
  ])
  assert.deepStrictEqual(about("group_lifecycle_update", { type: "group_create", group_id: "g1" }), [])
  assert.deepStrictEqual(about("group_settings_update", { type: "group_settings_update", group_id: "g1" }), [])
})
