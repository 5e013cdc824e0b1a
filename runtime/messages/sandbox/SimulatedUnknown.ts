import type { UnknownContent } from "@carteiro/schema/messages/InboundContent.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { sandboxMessageId } from "./SandboxChat.ts"

/** Returns the content of a type that is not interpreted: by default a location whose content is unknown. U-INB-02 */
export const simulatedUnknown = (unknown: SimulateInbound["unknown"]): UnknownContent => {
  const { contacts, edit, location, order, provider_type, revoke } = unknown ?? {}
  if (edit) return { provider_type: "edit", edit: { ...namedOf(edit), content: edit.content } }
  if (revoke) return { provider_type: "revoke", revoke: namedOf(revoke) }
  if (location) return { provider_type: "location", location: present(location) }
  if (contacts) {
    const cards = contacts.map(({ emails, phones, ...card }) => ({
      ...present(card),
      phones: phones ?? [],
      emails: emails ?? []
    }))
    return { provider_type: "contacts", contacts: cards }
  }
  if (order) return { provider_type: "order", order: { ...present(order), items: order.items.map(present) } }
  return { provider_type: provider_type ?? "location" }
}

/** Names the message as the platform would; the number's owner finds it. */
const namedOf = ({ message_id }: { readonly message_id: string }) => ({
  message_id: null,
  provider_message_id: sandboxMessageId(message_id)
})

/** Returns an object without the members that are null or undefined. */
export const present = <A extends object>(value: A): Present<A> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member != null)) as Present<A>

type Present<A> = { readonly [Name in keyof A]: Exclude<A[Name], null | undefined> }
