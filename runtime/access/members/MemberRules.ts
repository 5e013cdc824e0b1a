/** Roles of the dashboard, the mightiest first. gaps-1 C "Dashboard sessions and roles" */
export const memberRoles = ["owner", "admin", "member"] as const
export type MemberRole = (typeof memberRoles)[number]

/** Only owners and admins approve, deny and change anything. A-DEV-18, gaps-1 C "Dashboard sessions and roles" */
export const mayDecide = (role: string): boolean => role === "owner" || role === "admin"

/** Who changes members: somebody of the organization, or an operator of the service. */
export type MemberManager = MemberRole | "operator"

/** Admins manage members and admins; owners are made, changed and let in by owners alone. Decision 0007 */
export const mayManage = (by: MemberManager, role: MemberRole): boolean =>
  by === "owner" || by === "operator" || (by === "admin" && role !== "owner")
