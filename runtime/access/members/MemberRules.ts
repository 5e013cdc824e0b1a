import { MemberRole } from "@carteiro/schema/conventions/Access.ts"

/** The roles of the dashboard, the most powerful first. gaps-1 C "Dashboard sessions and roles" */
export const memberRoles = MemberRole.literals

/** The person who changes members: a member of the organization, or an operator of the service. */
export type MemberManager = MemberRole | "operator"

/**
 * True when a role may be managed: admins manage members and admins; only owners and operators manage owners. Decision
 * 0007
 */
export const mayManage = (by: MemberManager, role: MemberRole): boolean =>
  by === "owner" || by === "operator" || (by === "admin" && role !== "owner")
