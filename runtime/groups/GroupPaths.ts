import { PersonalChatappGroupNotSupported } from "@carteiro/schema/groups/GroupErrors.ts"
import { Context, Effect } from "effect"

/** The hosts whose invite links are personal groups, in lower case. gaps-3 B "Path rule details" */
export const InviteHosts = Context.Reference<ReadonlyArray<string>>("@carteiro/runtime/groups/InviteHosts", {
  defaultValue: () => ["chat.whatsapp.com"]
})

const scheme = /^https?:\/\//

/** True when a decoded path segment names a personal group of a chat app. C-GRP-72, C-GRP-73 */
export const isPersonalGroup = (segment: string, hosts: ReadonlyArray<string>): boolean => {
  const text = segment.toLowerCase()
  if (text.endsWith("@g.us")) return true
  const rest = text.replace(scheme, "")
  return hosts.some((host) => rest.startsWith(`${host}/`))
}

/** True when the rest of a path after the groups begins like such a link, slashes included. C-GRP-74 */
export const isInviteTail = (tail: string, hosts: ReadonlyArray<string>): boolean => {
  const rest = tail.toLowerCase().replace(scheme, "")
  return hosts.some((host) => rest === host || rest.startsWith(`${host}/`))
}

/** Refuses such an id without repeating it. C-GRP-72..74 */
export const refusePersonalGroup = (segment: string, hosts: ReadonlyArray<string>) =>
  isPersonalGroup(segment, hosts) || isInviteTail(segment, hosts)
    ? Effect.fail(new PersonalChatappGroupNotSupported())
    : Effect.void
