import { KeyScope } from "../conventions/Access.ts"

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
