import type { GroupNotice } from "@carteiro/provider/GroupProvider.ts"
import { listOf, memberOf } from "../UpstreamAnswers.ts"
import { refusalOf } from "../UpstreamCodes.ts"
import { idOf, instantOf, textOf } from "./UpstreamValues.ts"

/** The fields of webhooks about groups; `groups` was the only one of early test numbers. U-GRP-01 */
export const groupFields: ReadonlySet<string> = new Set([
  "groups",
  "group_lifecycle_update",
  "group_participants_update",
  "group_settings_update",
  "group_status_update"
])

/** Returns the notices of one of these fields about groups on one number. docs/decisions/0028-group-reports.md */
export const groupNotices = (value: unknown): ReadonlyArray<GroupNotice> =>
  listOf(memberOf(value, "groups")).flatMap((group) => {
    const request_id = idOf(memberOf(group, "request_id"))
    const provider_group_id = idOf(memberOf(group, "group_id"))
    const type = memberOf(group, "type")
    switch (type) {
      case "group_create":
      case "group_delete":
        return outcome(group, type, request_id, provider_group_id)
      case "group_suspend":
      case "group_suspend_cleared": {
        const at = instantOf(memberOf(group, "timestamp"))
        const is_suspended = type === "group_suspend"
        return provider_group_id === null || at === null
          ? []
          : [{ kind: "group_suspension", request_id: null, provider_group_id, is_suspended, at }]
      }
      case "group_participants_add":
      case "group_participants_remove":
        return provider_group_id === null ? [] : participants(group, type, provider_group_id)
      default:
        return []
    }
  })

const outcome = (
  group: unknown,
  type: "group_create" | "group_delete",
  request_id: string | null,
  provider_group_id: string | null
): ReadonlyArray<GroupNotice> => {
  // A creation is known by its request; a deletion by its group too, because its answer names no request.
  if (request_id === null && (provider_group_id === null || type === "group_create")) return []
  const [error] = listOf(memberOf(group, "errors"))
  if (error !== undefined) {
    const refusal = refusalOf(error, null)
    const message = refusal?.message ?? refusal?.title ?? "The provider refused without a word."
    return [{ kind: "group_refused", request_id, provider_group_id, message }]
  }
  if (type === "group_delete") return [{ kind: "group_deleted", request_id, provider_group_id }]
  const invite_link = textOf(memberOf(group, "invite_link"))
  return request_id === null || provider_group_id === null || invite_link === null
    ? []
    : [{ kind: "group_created", request_id, provider_group_id, invite_link }]
}

const participants = (
  group: unknown,
  type: "group_participants_add" | "group_participants_remove",
  provider_group_id: string
): ReadonlyArray<GroupNotice> => {
  const at = instantOf(memberOf(group, "timestamp"))
  if (at === null) return []
  const initiated_by = memberOf(group, "initiated_by") === "business" ? "business" : "participant"
  const action = type === "group_participants_add" ? "join" : "remove"
  const second = Math.floor(at / 1000) * 1000
  const changed = action === "join" ? "added_participants" : "removed_participants"
  const all = [...listOf(memberOf(group, changed)), ...listOf(memberOf(group, "participants"))]
  return all.flatMap((participant): ReadonlyArray<GroupNotice> => {
    // A participant who hides the phone is known by the platform's id alone.
    const chat_id = idOf(memberOf(participant, "wa_id")) ?? idOf(memberOf(participant, "user_id"))
    return chat_id === null
      ? []
      : [{ kind: "group_participant", provider_group_id, chat_id, action, initiated_by, at: second }]
  })
}
