import { Schema } from "effect"

/**
 * Members that are secret although their names do not show it: logs never show them, and an event may declare no other
 * member secret. gaps-3 B "Invite link secrecy", gaps-3 C "Personal data in payments"
 */
export const SecretMember = Schema.Literals(["invite_link", "customer_tax_id"])
export type SecretMember = typeof SecretMember.Type

/** True when a member of this name is secret. */
export const isSecretMember = Schema.is(SecretMember)
