import { Schema } from "effect"

/**
 * Members that are secrets although their name does not say so: logs never show them, and an event may declare no other
 * member to be secret. gaps-3 B "Invite link secrecy", gaps-3 C "Personal data in payments"
 */
export const SecretMember = Schema.Literals(["invite_link", "customer_tax_id"])
export type SecretMember = typeof SecretMember.Type

/** Whether a member of this name is one. */
export const isSecretMember = Schema.is(SecretMember)
