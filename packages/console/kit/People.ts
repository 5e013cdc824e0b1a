import type { Person } from "@carteiro/http-edge/Admission.ts"
import { scopesOf } from "@carteiro/schema/access/Roles.ts"
import type { Session } from "../ports/Sessions.ts"

/** Returns a member as the caller of operations in an environment, or of those about the organization. */
export type PeopleOfMember = (environmentId: string | undefined) => Person

/** Returns the member of a session as the caller of operations: one person an environment, whose reads are admitted once. */
export const peopleOf = ({ member: { id, role }, organization }: Session): PeopleOfMember => {
  const people = new Map<string | undefined, Person>()
  return (environment_id) => {
    const known = people.get(environment_id)
    if (known !== undefined) return known
    const person: Person = {
      organization_id: organization.id,
      organization_suspended: organization.suspended_at !== null,
      environment_id,
      member: { id, role },
      scopes: scopesOf(role)
    }
    people.set(environment_id, person)
    return person
  }
}
