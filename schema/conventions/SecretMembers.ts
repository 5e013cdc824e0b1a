import { Schema } from "effect"

/**
 * Members that are secrets although their name does not say so: logs never show them, and an event may declare no other
 * member to be secret. gaps-3 B "Invite link secrecy"
 */
export const SecretMember = Schema.Literals(["invite_link"])
export type SecretMember = typeof SecretMember.Type

/** Whether a member of this name is one. */
export const isSecretMember = Schema.is(SecretMember)
