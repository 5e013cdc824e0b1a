import type { ErasedSubject } from "../../erasure/Erasers.ts"

/** The customer's members of a contact, as erasure leaves them. gaps-2 I "Erasure" */
const erasedMembers = { phone: null, user_id: null, username: null, profile_name: null, metadata: null }

/** Returns a stored response about contacts, with the members of an erased one null. */
export const redactContacts = (body: unknown, { id }: ErasedSubject): unknown => {
  if (!isRecord(body)) return body
  if (body.object === "contact") return body.id === id ? { ...body, ...erasedMembers } : body
  if (body.object !== "contact_bulk_import" || !Array.isArray(body.data)) return body
  const data: ReadonlyArray<unknown> = body.data
  if (!data.some((one) => isRecord(one) && one.id === id)) return body
  return { ...body, data: data.map((one) => (isRecord(one) && one.id === id ? { ...one, ...erasedMembers } : one)) }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
