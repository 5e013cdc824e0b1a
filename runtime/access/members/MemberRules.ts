import { KeyScope, MemberRole } from "@carteiro/schema/conventions/Access.ts"

/** The roles of the dashboard, the most powerful first. gaps-1 C "Dashboard sessions and roles" */
export const memberRoles = MemberRole.literals

/**
 * True for owners and admins, the only roles that approve, deny and change things. A-DEV-18, gaps-1 C "Dashboard
 * sessions and roles"
 */
export const mayDecide = (role: string): boolean => role === "owner" || role === "admin"

/**
 * Returns the scopes with which a member calls operations: owners and admins have all, members those that look, and that
 * of the customers whom they play in a sandbox. gaps-1 C "Dashboard sessions and roles"
 */
export const scopesOf = (role: string): ReadonlyArray<KeyScope> =>
  mayDecide(role)
    ? KeyScope.literals
    : KeyScope.literals.filter((scope) => scope.endsWith(":read") || scope === "sandbox:write")

/** The person who changes members: a member of the organization, or an operator of the service. */
export type MemberManager = MemberRole | "operator"

/**
 * True when a role may be managed: admins manage members and admins; only owners and operators manage owners. Decision
 * 0007
 */
export const mayManage = (by: MemberManager, role: MemberRole): boolean =>
  by === "owner" || by === "operator" || (by === "admin" && role !== "owner")
